import type { SecurityContext } from './security-types.ts';
import type { FieldReference, ResourceReference } from './volumes/downward-fields.ts';

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
interface VolumeDevice {
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
