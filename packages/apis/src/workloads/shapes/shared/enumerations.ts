// Values of fields, as published schemas list them.

/** Protocols of ports. */
export const PROTOCOLS: readonly string[] = ['SCTP', 'TCP', 'UDP'];

/** When images are pulled. */
export const PULL_POLICIES: readonly string[] = ['Always', 'IfNotPresent', 'Never'];

/** How volumes are mounted. */
export const ACCESS_MODES: readonly string[] = [
  'ReadOnlyMany',
  'ReadWriteMany',
  'ReadWriteOnce',
  'ReadWriteOncePod',
];

/** Whether volumes hold a file system. */
export const VOLUME_MODES: readonly string[] = ['Block', 'Filesystem'];

/** What becomes of volumes without a claim. */
export const RECLAIM_POLICIES: readonly string[] = ['Delete', 'Recycle', 'Retain'];

/** What becomes of requests that could not be reviewed. */
export const FAILURE_POLICIES: readonly string[] = ['Fail', 'Ignore'];

/** Whether rules match other versions of a resource. */
export const MATCH_POLICIES: readonly string[] = ['Equivalent', 'Exact'];

/** Operations that rules of admission name. */
export const OPERATIONS: readonly string[] = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];

/** What taints do to pods. */
export const TAINT_EFFECTS: readonly string[] = ['NoExecute', 'NoSchedule', 'PreferNoSchedule'];

/** Whether pods displace others. */
export const PREEMPTION_POLICIES: readonly string[] = ['Never', 'PreemptLowerPriority'];

/** How pods of a set are replaced. */
export const UPDATE_STRATEGIES: readonly string[] = ['OnDelete', 'RollingUpdate'];
