/** An `EncryptionConfiguration` with defaults. Providers with no or several members are refused by the validation. */
export interface EncryptionConfiguration {
  readonly resources: readonly ResourceEncryption[];
}

/** Which providers encrypt some resources: the first one writes, all read. */
export interface ResourceEncryption {
  /** `secrets`, `deployments.apps`, `*.apps`, `*.` for the core group, `*.*` for everything. */
  readonly resources: readonly string[];
  readonly providers: readonly EncryptionProvider[];
}

/** One provider: exactly one member is set. */
export interface EncryptionProvider {
  readonly aesgcm?: KeyedProvider;
  readonly aescbc?: KeyedProvider;
  readonly secretbox?: KeyedProvider;
  /** Stores values as they are. */
  readonly identity?: Readonly<Record<string, never>>;
  readonly kms?: KmsProvider;
}

/** A provider whose keys are in the configuration: the first one writes, all read. */
export interface KeyedProvider {
  readonly keys: readonly EncryptionKey[];
}

export interface EncryptionKey {
  /** Stored in front of each value that the key encrypted. */
  readonly name: string;
  /** The key in base64. */
  readonly secret: string;
}

/** A provider whose keys are in a key service. */
export interface KmsProvider {
  /** `v2`; version 1 is refused, as by the reference without its feature gate. */
  readonly apiVersion: string;
  readonly name: string;
  /** Only for version 1. */
  readonly cachesize?: number;
  /** The socket of the service: `unix:///run/kms.sock`. */
  readonly endpoint: string;
  /** How long a call may take, in nanoseconds. */
  readonly timeout: bigint;
}
