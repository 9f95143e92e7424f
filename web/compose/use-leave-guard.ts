export { passingGuard, useLeaveGuard } from '../ui/use-leave-guard.ts'
