import { decodeBase64, type Random } from '@ashlar/core';
import { type KmsProviderOptions, KmsProviderState } from '../kms/kms-provider.ts';
import { KmsTransformer } from '../kms/kms-transformer.ts';
import { measuredKeyService } from '../kms/measured-key-service.ts';
import { createAesCbc } from '../values/aes-cbc.ts';
import { createAesGcm } from '../values/aes-gcm.ts';
import { type AesGcmSources, portableAesGcm } from '../values/aes-gcm-cipher.ts';
import {
  createPrefixTransformers,
  type PrefixedTransformer,
  type TransformationObserver,
} from '../values/prefix-transformers.ts';
import { createSecretbox } from '../values/secretbox.ts';
import type { ValueTransformer } from '../values/value-transformer.ts';
import type { EncryptionProvider, KeyedProvider, KmsProvider } from './encryption-configuration.ts';
import { EncryptionConfigurationError } from './encryption-configuration-error.ts';
import type { EncryptionOptions } from './encryption-options.ts';
import { encryptedPrefix, identityOf } from './resource-transformers.ts';

const encoder = new TextEncoder();

/** Makes the transformers of providers, and remembers their key services. */
export class ProviderFactory {
  readonly states: KmsProviderState[] = [];
  /** The time limits of the key services together, in nanoseconds. */
  timeouts: bigint = 0n;
  readonly #options: EncryptionOptions;
  readonly #sources: AesGcmSources;
  readonly #observer: TransformationObserver;

  constructor(options: EncryptionOptions) {
    const { ambient, metrics } = options;
    this.#options = options;
    this.#sources = { random: ambient.random, cipher: options.aesGcm ?? portableAesGcm };
    this.#observer = { clock: ambient.clock, observe: metrics.transformation };
  }

  /** @throws EncryptionConfigurationError if the provider is not supported */
  create({ aesgcm, aescbc, secretbox, kms }: EncryptionProvider): PrefixedTransformer {
    if (aesgcm) return this.#keyed('aesgcm', 'AES', aesgcm, (key) => createAesGcm(key, this.#sources));
    if (aescbc) return this.#keyed('aescbc', 'AES', aescbc, createAesCbc);
    if (secretbox) return this.#keyed('secretbox', 'Secretbox', secretbox, createSecretbox);
    if (kms) return this.#kms(kms);
    return { prefix: new Uint8Array(), transformer: identityOf(this.#options.ambient.vocabulary) };
  }

  #keyed(
    name: string,
    algorithm: string,
    { keys }: KeyedProvider,
    create: (key: Uint8Array, random: Random) => ValueTransformer,
  ): PrefixedTransformer {
    const { random } = this.#options.ambient;
    const transformers = keys.map((key) => ({
      prefix: encoder.encode(`${key.name}:`),
      transformer: create(decodeBase64(key.secret), random),
    }));
    const unmatched = `no matching key was found for the provided ${algorithm} transformer`;
    return {
      prefix: this.#prefix(`${name}:v1:`),
      transformer: createPrefixTransformers(transformers, unmatched, this.#observer),
    };
  }

  #kms(provider: KmsProvider): PrefixedTransformer {
    const { ambient, metrics, connect } = this.#options;
    if (provider.apiVersion === 'v1')
      throw new EncryptionConfigurationError(
        'error while building transformers: KMSv1 is deprecated and will only receive security updates going forward. Use KMSv2 instead.  Set --feature-gates=KMSv1=true to use the deprecated KMSv1 feature.',
      );
    if (!connect)
      throw new EncryptionConfigurationError(
        `error while building transformers: key service ${provider.name}: this server connects to no key services`,
      );
    const { name } = provider;
    const measured = { clock: ambient.clock, latency: metrics.kms.latency };
    const service = measuredKeyService(connect(provider), name, measured);
    const options: KmsProviderOptions = {
      ...{ name, service, ambient, metrics: metrics.kms, sources: this.#sources },
    };
    const state = new KmsProviderState(options);
    this.states.push(state);
    this.timeouts += provider.timeout;
    return { prefix: this.#prefix(`kms:v2:${name}:`), transformer: new KmsTransformer(options, state) };
  }

  #prefix(rest: string): Uint8Array {
    return encoder.encode(encryptedPrefix(this.#options.ambient.vocabulary) + rest);
  }
}
