import type { Vocabulary } from '@ashlar/core';
import { createIdentity } from '../values/identity.ts';
import { createPrefixTransformers, type PrefixedTransformer } from '../values/prefix-transformers.ts';
import type { ValueTransformer } from '../values/value-transformer.ts';
import { encryptedResourceText, parseEncryptedResource } from './encrypted-resource.ts';
import type { EncryptionConfiguration, EncryptionProvider } from './encryption-configuration.ts';
import { EncryptionConfigurationError } from './encryption-configuration-error.ts';
import type { EncryptionOptions } from './encryption-options.ts';

/** What all encrypted values begin with: `k8s:enc:`. */
export const encryptedPrefix = ({ groupDomain }: Vocabulary): string =>
  `${groupDomain.slice(0, groupDomain.indexOf('.'))}:enc:`;

/** Stores values as they are, and refuses encrypted ones. */
export const identityOf = (vocabulary: Vocabulary): ValueTransformer =>
  createIdentity(encryptedPrefix(vocabulary));

/**
 * Makes the transformer of each configured resource. A resource that several entries name has the providers of all of them.
 * @throws EncryptionConfigurationError for an entry that an earlier wildcard masks
 */
export function createResourceTransformers(
  { resources }: EncryptionConfiguration,
  { ambient, metrics }: EncryptionOptions,
  providers: { create(provider: EncryptionProvider): PrefixedTransformer },
): ReadonlyMap<string, ValueTransformer> {
  const byResource = new Map<string, PrefixedTransformer[]>();
  for (const entry of resources) {
    const transformers = entry.providers.map((provider) => providers.create(provider));
    for (const name of entry.resources) {
      const resource = parseEncryptedResource(name);
      refuseMasked(resource, byResource);
      const text = encryptedResourceText(resource);
      byResource.set(text, [...(byResource.get(text) ?? []), ...transformers]);
    }
  }
  const observer = { clock: ambient.clock, observe: metrics.transformation };
  return new Map(
    [...byResource].map(([name, all]) => [
      name,
      createPrefixTransformers(all, 'no matching prefix found', observer),
    ]),
  );
}

function refuseMasked(
  resource: ReturnType<typeof parseEncryptedResource>,
  earlier: ReadonlyMap<string, unknown>,
): void {
  const ofGroup = encryptedResourceText({ group: resource.group, resource: '*' });
  const masking = [ofGroup, '*.*'].find((name) => earlier.has(name));
  if (masking === undefined) return;
  throw new EncryptionConfigurationError(
    `error while building transformers: resource "${encryptedResourceText(resource)}" is masked by earlier rule "${masking}"`,
  );
}
