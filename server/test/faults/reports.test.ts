// What providers report later, early, often, or falsely.
import './scenarios/r18-webhook-flood.ts'
import './scenarios/r19-early-events.ts'
import './scenarios/r19-orphans.ts'
