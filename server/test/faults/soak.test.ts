// Of an hour with FAULTS=long, of minutes at full size, and not at all in the small one.
import './scenarios/r32-soak.ts'
