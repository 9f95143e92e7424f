// A machine in bad order; at full size only.
import './scenarios/r15-disk-full.ts'
import './scenarios/r20-clock-skew.ts'
