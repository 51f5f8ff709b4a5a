// Values at rest: how they are read and written, and which entry serves a resource (oracles/encryption*.jsonl).
import type { CaseResult } from '../../suite.ts';
import { compare, type OracleCase } from '../codec/oracle.ts';
import { encryptionOf, readAs, toBase64, writeAs } from './under-test.ts';

/** Compares one case; undefined if it is of another suite. */
export function runValuesCase(entry: OracleCase): CaseResult | undefined {
  if (entry.suite === 'read') return runReads(entry as unknown as ReadCase);
  if (entry.suite === 'write') return runWrites(entry as unknown as WriteCase);
  if (entry.suite === 'serves') return runServes(entry as unknown as ServesCase);
  return undefined;
}

interface ReadCase extends OracleCase {
  readonly config: unknown;
  readonly reads: readonly {
    readonly key: string;
    readonly resource: string;
    readonly stored: string;
    readonly made: string;
  }[];
}

function runReads(entry: ReadCase): CaseResult {
  const { encryption } = encryptionOf(entry.config);
  const actual = entry.reads.map(({ key, resource, stored, made }) => ({
    ...{ key, resource, stored, made },
    ...readAs(encryption, resource, key, stored),
  }));
  return compare(entry, entry.reads, actual);
}

interface WriteCase extends OracleCase {
  readonly config: unknown;
  readonly writes: readonly {
    readonly key: string;
    readonly resource: string;
    readonly plaintext: string;
    readonly random: string;
  }[];
}

function runWrites(entry: WriteCase): CaseResult {
  const { encryption, random } = encryptionOf(entry.config);
  const actual = entry.writes.map((write) => {
    random.load(write.random);
    return { ...write, stored: writeAs(encryption, write.resource, write.key, write.plaintext) };
  });
  return compare(entry, entry.writes, actual);
}

interface ServesCase extends OracleCase {
  readonly config: unknown;
  readonly serves: Readonly<Record<string, string | null>>;
}

/** The name of the key that a written value begins with. */
function runServes(entry: ServesCase): CaseResult {
  const { encryption, random } = encryptionOf(entry.config);
  const actual = Object.fromEntries(
    Object.keys(entry.serves).map((resource) => {
      random.load('00'.repeat(44));
      const text = atob(writeAs(encryption, resource, '/a', toBase64(new Uint8Array(1))));
      return [resource, /^k8s:enc:[a-z]+:v1:([^:]*):/.exec(text)?.[1] ?? null];
    }),
  );
  return compare(entry, entry.serves, actual);
}
