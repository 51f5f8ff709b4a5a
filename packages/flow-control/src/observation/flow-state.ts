import type { FlowCounts } from '../levels/flow-class.ts';
import type { FlowLevel } from '../levels/flow-level.ts';

/** What can be seen of flow control. */
export interface FlowState {
  /** The levels, with those that are gone and still have requests. */
  readonly levels: readonly FlowLevel[];
  /** What was counted, by schema and level. */
  readonly counts: readonly FlowCounts[];
}
