import type { Ambient, Metrics } from '@ashlar/core';
import {
  createEncryptedStore,
  createEncryption,
  createEncryptionMetrics,
  type Encryption,
  type EncryptionConfiguration,
  type EncryptionMetrics,
  ExchangeableEncryption,
  type KeyService,
  type KmsProvider,
} from '@ashlar/encryption';
import type { HealthCheck } from '@ashlar/http';
import type { KeyValueStore } from '@ashlar/storage';
import { OWN_KEYS } from '../assembly/store-vocabulary.ts';
import { nodeAesGcm } from './node-aes-gcm.ts';

/** How a server encrypts what it stores (semantics/lifecycle#encryption-at-rest). */
export interface EncryptionAtRest {
  /** As `parseEncryptionConfiguration` of `@ashlar/encryption` returns it. */
  readonly configuration: EncryptionConfiguration;
  /** Connects to the service of a `kms` provider. Without it such providers are refused. */
  readonly connect?: (provider: KmsProvider) => KeyService;
  /** Whether `useEncryption` may exchange the configuration while the server runs. Default false */
  readonly reload?: boolean;
  /** Prefix of the keys where other servers read the same store; it is authenticated with values. Default `/registry` */
  readonly keyPrefix?: string;
}

/** Dependencies of the encryption of a server. */
interface ServerEncryptionOptions {
  readonly ambient: Ambient;
  readonly metrics: Metrics;
  readonly onError: (error: unknown) => void;
}

/** The encryption of a server and its forks. */
export class ServerEncryption implements Disposable {
  readonly #atRest: EncryptionAtRest;
  readonly #options: ServerEncryptionOptions;
  readonly #metrics: EncryptionMetrics;
  readonly #used: ExchangeableEncryption;
  #started: Promise<void> | undefined;

  /** @throws EncryptionConfigurationError */
  constructor(atRest: EncryptionAtRest, options: ServerEncryptionOptions) {
    this.#atRest = atRest;
    this.#options = options;
    this.#metrics = createEncryptionMetrics(options.metrics, options.ambient.clock);
    this.#used = new ExchangeableEncryption(this.#create(atRest.configuration), options.ambient.clock);
  }

  /** Returns a store that encrypts. */
  wrap(store: KeyValueStore): KeyValueStore {
    const { keyPrefix } = this.#atRest;
    return createEncryptedStore(store, {
      encryption: this.#used,
      ambient: this.#options.ambient,
      plainPrefixes: [OWN_KEYS],
      ...(keyPrefix !== undefined && { keyPrefix }),
    });
  }

  /** The checks of the key services; with an exchanged configuration those of its services. */
  get checks(): readonly HealthCheck[] {
    return this.#used.current.checks.map(({ name }, index) => ({
      name,
      check: async () => this.#used.current.checks[index]?.check(),
    }));
  }

  /** Asks the key services for their keys, once. What they refuse is reported, and tried again. */
  start(): Promise<void> {
    this.#started ??= this.#used.current.start(this.#options.onError);
    return this.#started;
  }

  /**
   * Uses another configuration, if its key services are healthy.
   * @throws TypeError if the server was not created for that
   * @throws Error that says why it cannot be used; the last one stays in use
   */
  async exchange(configuration: EncryptionConfiguration): Promise<void> {
    if (!this.#atRest.reload)
      throw new TypeError('the encryption of this server cannot be exchanged: set "reload" of its options');
    const next = this.#create(configuration);
    try {
      await next.start(() => {});
      for (const { check } of next.checks) await check();
    } catch (error) {
      next[Symbol.dispose]();
      throw error;
    }
    this.#used.exchange(next);
  }

  [Symbol.dispose](): void {
    this.#used[Symbol.dispose]();
  }

  #create(configuration: EncryptionConfiguration): Encryption {
    const { connect, reload = false } = this.#atRest;
    return createEncryption(configuration, {
      ...{ ambient: this.#options.ambient, metrics: this.#metrics, reload, aesGcm: nodeAesGcm },
      ...(connect && { connect }),
    });
  }
}
