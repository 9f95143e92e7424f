import { describe } from 'vitest'
import { sized } from './size.ts'

/** For a scenario whose seconds count: at full size it has the machine for itself. */
export const alone = sized({ ci: describe.concurrent, full: describe })
