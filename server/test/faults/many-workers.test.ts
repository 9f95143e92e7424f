// It measures speed, so nothing is played beside it in this file.
import './scenarios/r06-many-workers.ts'
