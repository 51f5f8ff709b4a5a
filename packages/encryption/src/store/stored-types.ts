import type { GroupResource } from '@ashlar/core';
import type { Encryption } from '../configuration/create-encryption.ts';
import { parseEncryptedResource } from '../configuration/encrypted-resource.ts';
import type { ValueTransformer } from '../values/value-transformer.ts';

const encoder = new TextEncoder();

/** What is known about the values below one prefix, such as `/secrets/`. */
export interface StoredType {
  /** As in metrics. */
  readonly resource: string;
  readonly transformer: ValueTransformer;
  /** Whether the configuration names the type: values of others are stored as they are. */
  readonly isConfigured: boolean;
}

/** How keys are related to resources. */
export interface StoredTypesOptions {
  /** Prefix of the keys in etcd, as the reference has it: it is authenticated with them. Default `/registry` */
  readonly keyPrefix?: string;
  /** Prefixes of keys that hold no objects: their values are never encrypted. */
  readonly plainPrefixes?: readonly string[];
}

/** Finds the transformer of a key by its first segment: `/deployments.apps/default/a`. */
export class StoredTypes {
  readonly #encryption: Encryption;
  readonly #keyPrefix: string;
  readonly #types: Map<string, StoredType | undefined>;

  constructor(encryption: Encryption, { keyPrefix = '/registry', plainPrefixes = [] }: StoredTypesOptions) {
    this.#encryption = encryption;
    this.#keyPrefix = keyPrefix;
    this.#types = new Map(plainPrefixes.map((prefix) => [segmentOf(prefix), undefined]));
  }

  /** Undefined for keys that hold no objects. */
  of(key: string): StoredType | undefined {
    const segment = segmentOf(key);
    const cached = this.#types.get(segment);
    if (cached || this.#types.has(segment)) return cached;
    const type = this.#create(segment);
    this.#types.set(segment, type);
    return type;
  }

  /** The data that is authenticated with the value of a key. */
  authenticated(key: string): Uint8Array {
    return encoder.encode(this.#keyPrefix + key);
  }

  #create(segment: string): StoredType {
    const resource: GroupResource = parseEncryptedResource(segment);
    return {
      resource: segment,
      transformer: this.#encryption.transformerOf(resource),
      isConfigured: this.#encryption.isConfigured(resource),
    };
  }
}

function segmentOf(key: string): string {
  const end = key.indexOf('/', 1);
  return key.slice(1, end < 0 ? undefined : end);
}
