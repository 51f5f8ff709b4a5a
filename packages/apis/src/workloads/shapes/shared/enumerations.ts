// Values of fields, as published schemas list them and as errors name them.

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

/** What certificates may be used for. */
export const CERTIFICATE_USAGES: readonly string[] = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];

/** What a path of the host leads to. */
export const HOST_PATH_TYPES: readonly string[] = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

/** Where profiles of seccomp and AppArmor come from. */
export const PROFILE_TYPES: readonly string[] = ['Localhost', 'RuntimeDefault', 'Unconfined'];

/** What becomes of a job when a pod of it fails. */
export const FAILURE_ACTIONS: readonly string[] = ['Count', 'FailIndex', 'FailJob', 'Ignore'];

/** What becomes of a job whose predecessor still runs. */
export const CONCURRENCY_POLICIES: readonly string[] = ['Allow', 'Forbid', 'Replace'];

/** How paths of an ingress are compared. */
export const PATH_TYPES: readonly string[] = ['Exact', 'ImplementationSpecific', 'Prefix'];

/** What the addresses of an endpoint slice are. */
export const ADDRESS_TYPES: readonly string[] = ['FQDN', 'IPv4', 'IPv6'];

/** How services are reached. */
export const SERVICE_TYPES: readonly string[] = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];

/** How many families of addresses a service has. */
export const FAMILY_POLICIES: readonly string[] = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];

/** Who sees what is mounted within a volume. */
export const MOUNT_PROPAGATIONS: readonly string[] = ['Bidirectional', 'HostToContainer', 'None'];

/** How disks are cached. */
export const CACHING_MODES: readonly string[] = ['None', 'ReadOnly', 'ReadWrite'];

/** Whom disks belong to. */
export const DISK_KINDS: readonly string[] = ['Dedicated', 'Managed', 'Shared'];
