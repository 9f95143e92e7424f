// Scenarios that mostly wait (for a lease, for a provider, for nothing to happen) are played beside each other.
import './scenarios/r05-zombie.ts'
import './scenarios/r11-outage.ts'
import './scenarios/r21-restored.ts'
