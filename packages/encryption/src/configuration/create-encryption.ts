import { type GroupResource, joinedMessages } from '@ashlar/core';
import type { KmsProviderState } from '../kms/kms-provider.ts';
import type { ValueTransformer } from '../values/value-transformer.ts';
import { encryptedResourceText } from './encrypted-resource.ts';
import type { EncryptionConfiguration } from './encryption-configuration.ts';
import type { EncryptionOptions } from './encryption-options.ts';
import { ProviderFactory } from './provider-factory.ts';
import { createResourceTransformers, identityOf } from './resource-transformers.ts';

/** A named check of a key service. */
export interface EncryptionCheck {
  /** `kms-provider-0`, or `kms-providers` for all of them. */
  readonly name: string;
  /** @throws Error that says what is not healthy */
  check(): Promise<void>;
}

/** A configuration in use. Disposing stops following its key services. */
export interface Encryption extends Disposable {
  /** The configured resources, sorted: `*.apps`, `secrets`. */
  readonly resources: readonly string[];
  readonly checks: readonly EncryptionCheck[];
  /** How long requests may go on using a configuration after it was exchanged, in nanoseconds. */
  readonly closeGracePeriod: bigint;
  /** Returns what encrypts the values of a resource; what no entry names is stored as it is. */
  transformerOf(resource: GroupResource): ValueTransformer;
  /** Whether an entry names the resource. */
  isConfigured(resource: GroupResource): boolean;
  /**
   * Asks the key services for their keys, and follows them from then on. A service that does not answer is reported; its values cannot be
   * read meanwhile.
   */
  start(report: (error: Error) => void): Promise<void>;
}

/**
 * Makes the transformers of a valid configuration (semantics/lifecycle#encryption-at-rest).
 * @throws EncryptionConfigurationError if an entry is masked by an earlier one, or a provider is not supported
 * @example
 * const encryption = createEncryption(parseEncryptionConfiguration(bytes, { vocabulary, file }), { ambient, metrics });
 * const store = createEncryptedStore(createMemoryStore({ clock }), { encryption: { current: encryption }, ambient });
 */
export function createEncryption(
  configuration: EncryptionConfiguration,
  options: EncryptionOptions,
): Encryption {
  const { ambient, reload = false } = options;
  const providers = new ProviderFactory(options);
  const transformers = createResourceTransformers(configuration, options, providers);
  const states = providers.states;
  const identity = identityOf(ambient.vocabulary);
  const transformerOf = cachedLookup(transformers, identity);
  const following: Disposable[] = [];
  const stop = new AbortController();
  return {
    resources: [...transformers.keys()].sort(),
    checks: reload || states.length > 0 ? [combinedCheck(states)] : [],
    closeGracePeriod: 2n * providers.timeouts,
    transformerOf,
    isConfigured: (resource) => transformerOf(resource) !== identity,
    async start(report) {
      const first = async (state: KmsProviderState): Promise<void> => {
        await state.check().catch((error) => report(error as Error));
        if (!stop.signal.aborted) following.push(state.follow(report));
      };
      await Promise.all(states.map(first));
    },
    [Symbol.dispose]() {
      stop.abort();
      for (const each of [...following, ...states]) each[Symbol.dispose]();
    },
  };
}

/** All services in one check: their number may change when the configuration is exchanged. */
function combinedCheck(states: readonly KmsProviderState[]): EncryptionCheck {
  return {
    name: 'kms-providers',
    async check() {
      const errors: Error[] = [];
      for (const [index, state] of states.entries())
        await state
          .check()
          .catch((error) => errors.push(new Error(`kms-provider-${index}: ${(error as Error).message}`)));
      if (errors.length > 0) throw new Error(joinedMessages(errors));
    },
  };
}

/** Finds the entry of a resource: its own, that of its group, that of all resources. */
function cachedLookup(
  transformers: ReadonlyMap<string, ValueTransformer>,
  identity: ValueTransformer,
): (resource: GroupResource) => ValueTransformer {
  const found = new Map<string, ValueTransformer>();
  return (resource) => {
    const name = encryptedResourceText(resource);
    const existing = found.get(name);
    if (existing) return existing;
    const transformer =
      transformers.get(name) ??
      transformers.get(encryptedResourceText({ group: resource.group, resource: '*' })) ??
      transformers.get('*.*') ??
      identity;
    found.set(name, transformer);
    return transformer;
  };
}
