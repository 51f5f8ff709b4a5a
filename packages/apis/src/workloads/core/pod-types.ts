import type { ApiObject, LabelSelectorObject, ObjectMeta } from '@ashlar/core';

// The fields that columns, defaults and rules of this package use; the shapes are those of the schemas.

/** Quantities by resource name. */
export type ResourceList = Readonly<Record<string, string>>;

/** Limits and requests of a container. */
export interface ResourceRequirements {
  readonly limits?: ResourceList;
  readonly requests?: ResourceList;
  readonly claims?: readonly { readonly name?: string; readonly request?: string }[];
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
    readonly secretKeyRef?: { readonly name?: string };
    readonly [source: string]: unknown;
  };
}

/** A volume mount of a container. */
export interface VolumeMount {
  readonly name?: string;
  readonly readOnly?: boolean;
  readonly mountPath?: string;
  readonly subPath?: string;
  readonly subPathExpr?: string;
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
  readonly envFrom?: readonly { readonly secretRef?: { readonly name?: string } }[];
  readonly volumeMounts?: readonly VolumeMount[];
  readonly volumeDevices?: readonly { readonly name?: string; readonly devicePath?: string }[];
  readonly terminationMessagePolicy?: string;
  readonly targetContainerName?: string;
}

/** A source of a projected volume. */
interface VolumeProjection {
  readonly secret?: { readonly name?: string };
  readonly configMap?: { readonly name?: string };
  readonly serviceAccountToken?: object;
  readonly downwardAPI?: object;
}

/** A volume of a pod. */
export interface Volume {
  readonly name?: string;
  readonly secret?: { readonly secretName?: string };
  readonly projected?: { readonly sources?: readonly VolumeProjection[]; readonly defaultMode?: number };
  readonly [source: string]: unknown;
}

/** The spec of a pod. */
export interface PodSpec {
  readonly volumes?: readonly Volume[];
  readonly initContainers?: readonly Container[];
  readonly containers?: readonly Container[] | null;
  readonly ephemeralContainers?: readonly Container[];
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
  readonly tolerations?: readonly object[];
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
