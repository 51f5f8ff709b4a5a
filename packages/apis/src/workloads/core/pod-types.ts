import type { ApiObject, LabelSelectorObject, ObjectMeta } from '@ashlar/core';
import type { FieldReference, ResourceReference } from '../pods/volumes/downward-fields.ts';

// The fields that columns, defaults and rules of this package use; the shapes are those of the schemas.

/** Quantities by resource name. */
export type ResourceList = Readonly<Record<string, string>>;

/** Limits and requests of a container. */
export interface ResourceRequirements {
  readonly limits?: ResourceList;
  readonly requests?: ResourceList;
  readonly claims?: readonly ResourceClaimReference[];
}

/** A claim of a pod that one of its containers uses. */
export interface ResourceClaimReference {
  readonly name?: string;
  readonly request?: string;
}

/** A port of a container. */
export interface ContainerPort {
  readonly name?: string;
  readonly containerPort?: number;
  readonly hostPort?: number;
  readonly hostIP?: string;
  readonly protocol?: string;
}

/** An environment variable. */
export interface EnvVar {
  readonly name?: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly fieldRef?: FieldReference;
    readonly resourceFieldRef?: ResourceReference;
    readonly configMapKeyRef?: KeyReference;
    readonly secretKeyRef?: KeyReference;
  };
}

/** A key of an object. */
export interface KeyReference {
  readonly name?: string;
  readonly key?: string;
}

/** An object all of whose values are environment variables. */
export interface EnvFromSource {
  readonly prefix?: string;
  readonly configMapRef?: { readonly name?: string };
  readonly secretRef?: { readonly name?: string };
}

/** A volume mount of a container. */
export interface VolumeMount {
  readonly name?: string;
  readonly readOnly?: boolean;
  readonly recursiveReadOnly?: string;
  readonly mountPath?: string;
  readonly mountPropagation?: string;
  readonly subPath?: string;
  readonly subPathExpr?: string;
}

/** A block device of a container. */
export interface VolumeDevice {
  readonly name?: string;
  readonly devicePath?: string;
}

/** What is done to a container. */
export interface Handler {
  readonly exec?: { readonly command?: readonly string[] };
  readonly httpGet?: {
    readonly path?: string;
    readonly port?: number | string;
    readonly scheme?: string;
    readonly httpHeaders?: readonly { readonly name?: string }[];
  };
  readonly tcpSocket?: { readonly port?: number | string };
  readonly grpc?: { readonly port?: number };
  readonly sleep?: { readonly seconds?: number };
}

/** What is done to see whether a container lives. */
export interface Probe extends Handler {
  readonly initialDelaySeconds?: number;
  readonly timeoutSeconds?: number;
  readonly periodSeconds?: number;
  readonly successThreshold?: number;
  readonly failureThreshold?: number;
  readonly terminationGracePeriodSeconds?: number;
}

/** What is done to a container when it begins and ends. */
export interface Lifecycle {
  readonly postStart?: Handler;
  readonly preStop?: Handler;
}

/** How a container takes another amount of a resource. */
export interface ResizePolicy {
  readonly resourceName?: string;
  readonly restartPolicy?: string;
}

/** A profile of seccomp or AppArmor. */
export interface SecurityProfile {
  readonly type?: string;
  readonly localhostProfile?: string;
}

/** What containers on Windows run as. */
export interface WindowsOptions {
  readonly gmsaCredentialSpecName?: string;
  readonly gmsaCredentialSpec?: string;
  readonly runAsUserName?: string;
  readonly hostProcess?: boolean;
}

/** Privileges of a container. */
export interface SecurityContext {
  readonly capabilities?: { readonly add?: readonly string[] };
  readonly privileged?: boolean;
  readonly seLinuxOptions?: object;
  readonly windowsOptions?: WindowsOptions;
  readonly runAsUser?: number;
  readonly runAsGroup?: number;
  readonly readOnlyRootFilesystem?: boolean;
  readonly allowPrivilegeEscalation?: boolean;
  readonly procMount?: string;
  readonly seccompProfile?: SecurityProfile;
  readonly appArmorProfile?: SecurityProfile;
}

/** A parameter of the kernel. */
export interface Sysctl {
  readonly name?: string;
  readonly value?: string;
}

/** Privileges of all containers of a pod. */
export interface PodSecurityContext {
  readonly windowsOptions?: WindowsOptions;
  readonly runAsUser?: number;
  readonly runAsGroup?: number;
  readonly supplementalGroups?: readonly number[];
  readonly fsGroup?: number;
  readonly sysctls?: readonly Sysctl[];
  readonly fsGroupChangePolicy?: string;
  readonly seccompProfile?: SecurityProfile;
  readonly appArmorProfile?: SecurityProfile;
  readonly supplementalGroupsPolicy?: string;
  readonly seLinuxChangePolicy?: string;
}

/** What is required of a label or field of a node. */
export interface NodeRequirement {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[];
}

/** What is required of a node together. */
export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly NodeRequirement[];
  readonly matchFields?: readonly NodeRequirement[];
}

/** Nodes that fit one of several terms. */
export interface NodeSelector {
  readonly nodeSelectorTerms?: readonly NodeSelectorTerm[] | null;
}

/** Other pods, and what a node must have in common with theirs. */
export interface PodAffinityTerm {
  readonly labelSelector?: LabelSelectorObject;
  readonly namespaces?: readonly string[];
  readonly topologyKey?: string;
  readonly namespaceSelector?: LabelSelectorObject;
  readonly matchLabelKeys?: readonly string[];
  readonly mismatchLabelKeys?: readonly string[];
}

/** Beside which other pods, or not beside which, a pod wants to be. */
export interface PodAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[];
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly {
    readonly weight?: number;
    readonly podAffinityTerm?: PodAffinityTerm;
  }[];
}

/** Where a pod wants to be. */
export interface Affinity {
  readonly nodeAffinity?: {
    readonly requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector;
    readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly {
      readonly weight?: number;
      readonly preference?: NodeSelectorTerm;
    }[];
  };
  readonly podAffinity?: PodAffinity;
  readonly podAntiAffinity?: PodAffinity;
}

/** A taint that a pod tolerates. */
export interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

/** How pods are spread. */
export interface TopologySpreadConstraint {
  readonly maxSkew?: number;
  readonly topologyKey?: string;
  readonly whenUnsatisfiable?: string;
  readonly labelSelector?: LabelSelectorObject;
  readonly minDomains?: number;
  readonly nodeAffinityPolicy?: string;
  readonly nodeTaintsPolicy?: string;
  readonly matchLabelKeys?: readonly string[];
}

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

/** A container. */
export interface Container {
  readonly name?: string;
  readonly image?: string;
  readonly imagePullPolicy?: string;
  readonly restartPolicy?: string;
  readonly resources?: ResourceRequirements;
  readonly ports?: readonly ContainerPort[];
  readonly env?: readonly EnvVar[];
  readonly envFrom?: readonly EnvFromSource[];
  readonly volumeMounts?: readonly VolumeMount[];
  readonly volumeDevices?: readonly VolumeDevice[];
  readonly lifecycle?: Lifecycle;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly startupProbe?: Probe;
  readonly resizePolicy?: readonly ResizePolicy[];
  readonly securityContext?: SecurityContext;
  readonly terminationMessagePolicy?: string;
}

/** A container that was added to a running pod. */
export interface EphemeralContainer extends Container {
  readonly targetContainerName?: string;
}

/** A source of a projected volume. */
export interface VolumeProjection {
  readonly secret?: { readonly name?: string };
  readonly configMap?: { readonly name?: string };
  readonly serviceAccountToken?: object;
  readonly downwardAPI?: object;
  readonly clusterTrustBundle?: object;
}

/** A volume of a pod. */
export interface Volume {
  readonly name?: string;
  readonly secret?: { readonly secretName?: string };
  readonly projected?: { readonly sources?: readonly VolumeProjection[]; readonly defaultMode?: number };
  readonly persistentVolumeClaim?: { readonly claimName?: string };
  readonly ephemeral?: object;
  readonly image?: object;
  readonly iscsi?: {
    readonly targetPortal?: string;
    readonly initiatorName?: string;
    readonly secretRef?: { readonly name?: string };
    readonly [field: string]: unknown;
  };
  readonly [source: string]: unknown;
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

/** The status of a container. */
export interface ContainerStatus {
  readonly name?: string;
  readonly ready?: boolean;
  readonly started?: boolean;
  readonly restartCount?: number;
  readonly state?: {
    readonly waiting?: { readonly reason?: string };
    readonly running?: object;
    readonly terminated?: Terminated;
  };
  readonly lastState?: { readonly terminated?: Terminated };
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
  readonly ephemeralContainerStatuses?: readonly ContainerStatus[];
  readonly qosClass?: string;
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
