// Encryption with the randomness of the recorded cases.
import {
  type Ambient,
  type Clock,
  decodeBase64,
  encodeBase64,
  kubernetesVocabulary,
  Metrics,
} from '@ashlar/core';
import {
  createEncryption,
  createEncryptionMetrics,
  type Encryption,
  type KeyService,
  parseEncryptionConfiguration,
  type ReadValue,
} from '@ashlar/encryption';
import { fromHex } from '../codec/oracle.ts';

/** Bytes that a case recorded, in order. */
class RecordedRandom {
  #bytes: Uint8Array = new Uint8Array();
  #at = 0;

  load(hex: string): void {
    this.#bytes = fromHex(hex);
    this.#at = 0;
  }

  bytes(into: Uint8Array): Uint8Array {
    if (this.#at + into.length > this.#bytes.length) throw new Error('the case records no more random bytes');
    into.set(this.#bytes.subarray(this.#at, this.#at + into.length));
    this.#at += into.length;
    return into;
  }
}

const clock: Clock = {
  now: () => 1_700_000_000_000,
  monotonic: () => 0,
  setTimer: () => ({ clear: () => {} }),
};

export interface EncryptionUnderTest {
  readonly encryption: Encryption;
  readonly random: RecordedRandom;
}

export interface UnderTestOptions {
  readonly service?: KeyService;
  readonly reload?: boolean;
}

/** @param config text of a file, or the object in it */
export function encryptionOf(
  config: unknown,
  { service, reload = false }: UnderTestOptions = {},
): EncryptionUnderTest {
  const random = new RecordedRandom();
  const transientRandom = { bytes: (into: Uint8Array): Uint8Array => into };
  const ambient: Ambient = { clock, random, transientRandom, vocabulary: kubernetesVocabulary };
  const configuration = parseEncryptionConfiguration(bytesOf(config), {
    vocabulary: kubernetesVocabulary,
    file: '<file>',
    reload,
  });
  const metrics = createEncryptionMetrics(new Metrics(), clock);
  const encryption = createEncryption(configuration, {
    ...{ ambient, metrics, reload },
    connect: () => service ?? unusedService,
  });
  return { encryption, random };
}

const unused = (): never => {
  throw new Error('the case has no key service');
};
const unusedService: KeyService = { status: unused, encrypt: unused, decrypt: unused };

/** A byte order mark of UTF-16 cannot be recorded as text: it was replaced. */
function bytesOf(config: unknown): Uint8Array {
  if (config === '\ufffd\ufffd') return Uint8Array.of(0xff, 0xfe);
  return new TextEncoder().encode(typeof config === 'string' ? config : JSON.stringify(config));
}

export const toBase64: typeof encodeBase64 = encodeBase64;
export const fromBase64: typeof decodeBase64 = decodeBase64;

const keyBytes = (key: string): Uint8Array => new TextEncoder().encode(key);

const transformerOf = (encryption: Encryption, resource: string): ReturnType<Encryption['transformerOf']> => {
  const dot = resource.indexOf('.');
  return encryption.transformerOf(
    dot < 0 ? { group: '', resource } : { group: resource.slice(dot + 1), resource: resource.slice(0, dot) },
  );
};

/** What a read of a stored value comes to, as the cases record it. */
export function readAs(
  encryption: Encryption,
  resource: string,
  key: string,
  stored: string,
): { plaintext: string; stale: boolean } | { error: string } {
  try {
    return recorded(
      transformerOf(encryption, resource).fromStorage(fromBase64(stored), keyBytes(key)) as ReadValue,
    );
  } catch (error) {
    return { error: (error as Error).message };
  }
}

export const recorded = ({ plaintext, isStale }: ReadValue): { plaintext: string; stale: boolean } => ({
  plaintext: toBase64(plaintext),
  stale: isStale,
});

export function writeAs(encryption: Encryption, resource: string, key: string, plaintext: string): string {
  const stored = transformerOf(encryption, resource).toStorage(fromBase64(plaintext), keyBytes(key));
  return toBase64(stored as Uint8Array);
}
