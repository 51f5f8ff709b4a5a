import type { ApiObject, LabelSelectorObject, ObjectMeta } from '@ashlar/core';
import type {
  Container,
  EphemeralContainer,
  ResourceList,
  ResourceRequirements,
} from '../pods/container-types.ts';
import type { Affinity, Toleration, TopologySpreadConstraint } from '../pods/placement-types.ts';
import type { PodSecurityContext } from '../pods/security-types.ts';
import type { Volume } from '../pods/volumes/volume-types.ts';

// The fields that columns, defaults and rules of this package use; the shapes are those of the schemas.

/** How a pod finds hosts by their names. */
export interface DnsConfig {
  readonly nameservers?: readonly string[];
  readonly searches?: readonly string[];
  readonly options?: readonly { readonly name?: string }[];
}

/** Names that stand for an address. */
export interface HostAlias {
  readonly ip?: string;
  readonly hostnames?: readonly string[];
}

/** The spec of a pod. */
export interface PodSpec {
  readonly volumes?: readonly Volume[];
  readonly initContainers?: readonly Container[];
  readonly containers?: readonly Container[] | null;
  readonly ephemeralContainers?: readonly EphemeralContainer[];
  readonly restartPolicy?: string;
  readonly terminationGracePeriodSeconds?: number;
  readonly activeDeadlineSeconds?: number;
  readonly dnsPolicy?: string;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly serviceAccountName?: string;
  /** The deprecated name of the same field. */
  readonly serviceAccount?: string;
  readonly automountServiceAccountToken?: boolean;
  readonly imagePullSecrets?: readonly { readonly name?: string }[];
  readonly nodeName?: string;
  readonly hostNetwork?: boolean;
  readonly hostname?: string;
  readonly subdomain?: string;
  readonly schedulerName?: string;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
  readonly hostUsers?: boolean;
  readonly shareProcessNamespace?: boolean;
  readonly securityContext?: PodSecurityContext;
  readonly affinity?: Affinity;
  readonly dnsConfig?: DnsConfig;
  readonly hostAliases?: readonly HostAlias[];
  readonly priorityClassName?: string;
  readonly runtimeClassName?: string;
  readonly preemptionPolicy?: string;
  readonly overhead?: ResourceList;
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[];
  readonly os?: { readonly name?: string };
  readonly resources?: ResourceRequirements;
  readonly resourceClaims?: readonly { readonly name?: string }[];
  readonly tolerations?: readonly Toleration[];
  readonly readinessGates?: readonly { readonly conditionType?: string }[];
  readonly schedulingGates?: readonly { readonly name?: string }[];
}

/** A condition of a pod, and of most other objects. */
export interface Condition {
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
}

/** A terminated container. */
interface Terminated {
  readonly exitCode?: number;
  readonly signal?: number;
  readonly reason?: string;
  readonly finishedAt?: string | null;
}

/** The health of one device. */
export interface ResourceHealth {
  readonly resourceID?: string;
  readonly health?: string;
}

/** The health of the devices that are a resource of a container. */
export interface ResourceStatus {
  /** Name of a resource, or `claim:` with that of a claim and its request. */
  readonly name?: string;
  readonly resources?: readonly ResourceHealth[];
}

/** The identity of the first process of a container. */
export interface ContainerUser {
  readonly linux?: {
    readonly uid?: number;
    readonly gid?: number;
    readonly supplementalGroups?: readonly number[];
  };
}

/** The status of a container. */
export interface ContainerStatus {
  readonly name?: string;
  readonly user?: ContainerUser;
  readonly ready?: boolean;
  readonly started?: boolean;
  readonly restartCount?: number;
  readonly state?: {
    readonly waiting?: { readonly reason?: string };
    readonly running?: object;
    readonly terminated?: Terminated;
  };
  readonly lastState?: { readonly terminated?: Terminated };
  readonly allocatedResourcesStatus?: readonly ResourceStatus[];
}

/** The status of a pod. */
export interface PodStatus {
  readonly phase?: string;
  readonly conditions?: readonly Condition[];
  readonly reason?: string;
  readonly nominatedNodeName?: string;
  readonly podIP?: string;
  readonly podIPs?: readonly { readonly ip?: string }[];
  readonly hostIP?: string;
  readonly hostIPs?: readonly { readonly ip?: string }[];
  readonly resourceClaimStatuses?: readonly { readonly name?: string; readonly resourceClaimName?: string }[];
  readonly ephemeralContainerStatuses?: readonly ContainerStatus[];
  readonly qosClass?: string;
  readonly resize?: string;
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly containerStatuses?: readonly ContainerStatus[];
}

/** A group of containers that run together. */
export interface Pod extends ApiObject {
  readonly spec?: PodSpec;
  readonly status?: PodStatus;
}

/** A pod template. */
export interface PodTemplateSpec {
  readonly metadata?: ObjectMeta;
  readonly spec?: PodSpec;
}

/** A kind with a pod template. */
export interface PodOwner extends ApiObject {
  readonly spec?: {
    readonly replicas?: number;
    readonly minReadySeconds?: number;
    readonly selector?: LabelSelectorObject | null;
    readonly template?: PodTemplateSpec;
  };
}
