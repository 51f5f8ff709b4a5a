// Values at rest: how they are read and written, and which entry serves a resource (oracles/encryption*.jsonl).
import type { CaseResult, Suite } from '../suite.ts';
import { compare, type OracleCase, readOracle } from './codec/oracle.ts';
import { encryptionOf, readAs, toBase64, writeAs } from './encryption/under-test.ts';

export const suite: Suite = {
  name: 'oracles/encryption',
  async *run(dataDirectory) {
    for (const entry of readOracle(dataDirectory, 'encryption')) {
      if (entry.suite === 'read') yield runReads(entry as unknown as ReadCase);
      else if (entry.suite === 'write') yield runWrites(entry as unknown as WriteCase);
      else if (entry.suite === 'serves') yield runServes(entry as unknown as ServesCase);
    }
  },
};

interface ReadCase extends OracleCase {
  readonly config: unknown;
  readonly reads: readonly {
    readonly key: string;
    readonly resource: string;
    readonly stored: string;
    readonly made: string;
  }[];
}

function runReads(entry: ReadCase): Promise<CaseResult> | CaseResult {
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
