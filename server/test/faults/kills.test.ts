// Kills of the worker alone.
import './scenarios/r01-kills.ts'
