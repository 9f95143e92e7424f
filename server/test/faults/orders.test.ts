// What people and operators order while mail flows.
import './scenarios/r04-deploy.ts'
import './scenarios/r07-double-submit.ts'
import './scenarios/r22-pause.ts'
import './scenarios/r24-upgrade.ts'
