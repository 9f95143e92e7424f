export { randomId } from '../ui/random-id.ts'
