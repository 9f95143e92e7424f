// What strangers send.
import './scenarios/r27-fuzz.ts'
