// What a provider may say, not say, or say wrongly.
import './scenarios/r09-rate-limits.ts'
import './scenarios/r10-lies.ts'
import './scenarios/r12-silence.ts'
