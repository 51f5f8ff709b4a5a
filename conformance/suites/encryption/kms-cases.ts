// Values that are encrypted with a key service, and the health of the service (oracles/encryption*.jsonl).
import { concatenateBytes } from '@ashlar/core';
import type { EncryptedKey, KeyService, KeyServiceStatus } from '@ashlar/encryption';
import type { CaseResult } from '../../suite.ts';
import { compare, fromHex, type OracleCase } from '../codec/oracle.ts';
import { encryptionOf, fromBase64, recorded, toBase64 } from './under-test.ts';

/** Compares one case; undefined if it is of another suite. */
export function runKmsCase(entry: OracleCase): Promise<CaseResult> | undefined {
  if (entry.suite === 'kms-read') return runRead(entry as unknown as ReadCase);
  if (entry.suite === 'kms-write') return runWrites(entry as unknown as WriteCase);
  if (entry.suite === 'kms-health') return runHealth(entry as unknown as HealthCase);
  return undefined;
}

/** The service of these cases: its keys turn a text into another by xor with the first byte of their name. */
class XorService implements KeyService {
  readonly state: KeyServiceStatus;
  isRefusing: boolean = false;
  readonly annotations: EncryptedKey['annotations'];

  constructor(state: KeyServiceStatus, annotations: EncryptedKey['annotations'] = {}) {
    this.state = state;
    this.annotations = annotations;
  }

  async status(): Promise<KeyServiceStatus> {
    return this.state;
  }

  async encrypt(plaintext: Uint8Array): Promise<EncryptedKey> {
    this.#refuse();
    return {
      ciphertext: xor(plaintext, this.state.keyId),
      keyId: this.state.keyId,
      annotations: this.annotations,
    };
  }

  async decrypt({ ciphertext, keyId }: EncryptedKey): Promise<Uint8Array> {
    this.#refuse();
    if (keyId === 'gone') throw new Error('no key "gone"');
    return xor(ciphertext, keyId);
  }

  #refuse(): void {
    if (this.isRefusing) throw new Error('the plugin refuses');
  }
}

function mapped<T>(
  annotations: Readonly<Record<string, T>> = {},
  bytesOf: (value: T) => Uint8Array,
): Record<string, Uint8Array> {
  return Object.fromEntries(Object.entries(annotations).map(([name, value]) => [name, bytesOf(value)]));
}

function xor(bytes: Uint8Array, keyId: string): Uint8Array {
  const first = new TextEncoder().encode(keyId)[0] ?? 0;
  return bytes.map((byte) => byte ^ first);
}

const CONFIG = {
  apiVersion: 'apiserver.config.k8s.io/v1',
  kind: 'EncryptionConfiguration',
  resources: [
    {
      resources: ['secrets'],
      providers: [{ kms: { apiVersion: 'v2', name: 'cloud', endpoint: 'unix:///run/kms.sock' } }],
    },
  ],
};
const SECRETS = { group: '', resource: 'secrets' };
const healthy = (keyId: string): KeyServiceStatus => ({ version: 'v2', healthz: 'ok', keyId });
const keyBytes = (key: string): Uint8Array => new TextEncoder().encode(key);

async function answer<T>(run: () => T | Promise<T>): Promise<T | { readonly error: string }> {
  try {
    return await run();
  } catch (error) {
    return { error: (error as Error).message };
  }
}

interface ReadCase extends OracleCase {
  readonly config: unknown;
  readonly keyID: string;
  readonly key: string;
  readonly stored?: string;
  readonly storedRepeat?: readonly (readonly [string, number])[];
  readonly refuses?: boolean;
}

async function runRead(entry: ReadCase): Promise<CaseResult> {
  const service = new XorService(healthy(entry.keyID));
  const { encryption, random } = encryptionOf(entry.config, { service });
  random.load('00'.repeat(32));
  await encryption.start(() => {});
  service.isRefusing = entry.refuses ?? false;
  const { error, plaintext, stale } = entry;
  const actual = await answer(async () =>
    recorded(await encryption.transformerOf(SECRETS).fromStorage(storedOf(entry), keyBytes(entry.key))),
  );
  return compare(entry, error === undefined ? { plaintext, stale } : { error }, actual);
}

function storedOf({ stored, storedRepeat = [] }: ReadCase): Uint8Array {
  if (stored !== undefined) return fromBase64(stored);
  return concatenateBytes(storedRepeat.map(([hex, times]) => fromHex(hex.repeat(times))));
}

interface WriteCase extends OracleCase {
  readonly keyID: string;
  /** In base64. */
  readonly annotations?: Readonly<Record<string, string>>;
  readonly seed: string;
  readonly writes: readonly {
    readonly key: string;
    readonly plaintext: string;
    readonly random: string;
    readonly stored: string;
  }[];
}

async function runWrites(entry: WriteCase): Promise<CaseResult> {
  const { encryption, random } = encryptionOf(CONFIG, {
    service: new XorService(healthy(entry.keyID), mapped(entry.annotations, fromBase64)),
  });
  random.load(entry.seed);
  await encryption.start(() => {});
  const actual: string[] = [];
  for (const { key, plaintext, random: drawn } of entry.writes) {
    random.load(drawn);
    const stored = await encryption.transformerOf(SECRETS).toStorage(fromBase64(plaintext), keyBytes(key));
    actual.push(toBase64(stored));
  }
  return compare(
    entry,
    entry.writes.map(({ stored }) => stored),
    actual,
  );
}

interface HealthCase extends OracleCase {
  readonly name: string;
  readonly status: { readonly version: string; readonly healthz: string; readonly keyID: string };
  readonly annotationSizes?: Readonly<Record<string, number>>;
  readonly refuses?: boolean;
  readonly error: string | null;
  readonly writeError: string | null;
}

async function runHealth(entry: HealthCase): Promise<CaseResult> {
  const { version, healthz, keyID } = entry.status;
  const service = new XorService(
    { version, healthz, keyId: keyID },
    mapped(entry.annotationSizes, (size) => new Uint8Array(size)),
  );
  service.isRefusing = entry.refuses ?? false;
  const { encryption, random } = encryptionOf(CONFIG, { service });
  random.load('00'.repeat(32));
  await encryption.start(() => {});
  const [check] = encryption.checks;
  const health = await answer(() => check?.check());
  random.load('00'.repeat(44));
  const written = await answer(() =>
    encryption.transformerOf(SECRETS).toStorage(new Uint8Array(1), keyBytes('/a')),
  );
  return compare(
    entry,
    { name: entry.name, error: entry.error, writeError: entry.writeError },
    { name: check?.name, error: messageIn(health), writeError: messageIn(written) },
  );
}

function messageIn(result: unknown): string | null {
  if (typeof result !== 'object' || result === null || !('error' in result)) return null;
  return String(result.error)
    .replace(/uid="[^"]*"/, 'uid="<uid>"')
    .replace(/expirationTimestamp=\S*/, 'expirationTimestamp=<time>');
}
