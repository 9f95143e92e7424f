// What strangers send.
import './scenarios/r27-fuzz.ts'
import './scenarios/r28-sign-up-storm.ts'
import './scenarios/s21-same-time.ts'
