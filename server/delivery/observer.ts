import type { Outcome } from '../providers/provider.ts'

/** Whoever watches a worker, in numbers. */
export type DeliveryObserver = {
  answered(provider: string, outcomes: readonly Outcome[]): void
  /** Windows that others have taken over while this worker was away. */
  lost(windows: number): void
}
