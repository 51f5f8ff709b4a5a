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
