/** The state of a key service. */
export interface KeyServiceStatus {
  /** `v2`, or `v2beta1`. */
  readonly version: string;
  /** `ok` if it works. */
  readonly healthz: string;
  /** The key that it encrypts with now. */
  readonly keyId: string;
}

/** An encrypted key, with what the service needs to decrypt it. */
export interface EncryptedKey {
  readonly ciphertext: Uint8Array;
  /** The key of the service that encrypted it. */
  readonly keyId: string;
  /** Data of the service, stored with each value. Names are domain names. */
  readonly annotations: Readonly<Record<string, Uint8Array>>;
}

/**
 * A service that holds keys and encrypts data keys with them: the interface of Kubernetes' key management plugins, version 2.
 * Calls reject if the service cannot be reached or refuses.
 */
export interface KeyService {
  status(): Promise<KeyServiceStatus>;
  /** @param uid identifies the call in logs */
  encrypt(plaintext: Uint8Array, uid: string): Promise<EncryptedKey>;
  decrypt(encrypted: EncryptedKey, uid: string): Promise<Uint8Array>;
  /** Called when no configuration in use names the service any more. */
  [Symbol.dispose]?(): void;
}
