// Estimates of rules by the reference server: suites rule-estimate* of oracles/schema*.jsonl.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileRule, schemaType, serverEnvironment } from '@ashlar/cel';
import { kubernetesVocabulary as vocabulary } from '@ashlar/core';
import type { CaseResult, Suite } from '../suite.ts';
import { toSchema } from './cel/schemas.ts';

interface Case {
  readonly id: string;
  readonly suite: string;
  readonly schema: unknown;
  readonly rule: string;
  readonly estimatedMax?: number | string;
  readonly usesOldSelf?: boolean;
  readonly error?: string | null;
}

/** The reference is of this release; new rules may use those of the previous one. */
const environment = serverEnvironment({ vocabulary, release: '1.31' });

function runCase(one: Case): CaseResult {
  const { id, suite } = one;
  const type = schemaType(toSchema(one.schema), { name: '@self', isResourceRoot: true });
  if (!type) throw new Error(`${id}: the schema has no type`);
  const { condition, usesOldSelf } = compileRule(
    { rule: one.rule },
    { environment, type, isResourceRoot: true },
  );
  const actual = condition?.ok
    ? { estimatedMax: String(condition.estimate.max), usesOldSelf }
    : { error: condition?.error };
  const expected = one.error
    ? { error: one.error }
    : { estimatedMax: String(one.estimatedMax), usesOldSelf: one.usesOldSelf };
  const same = JSON.stringify(withoutDumps(actual)) === JSON.stringify(withoutDumps(expected));
  return same
    ? { id, suite, outcome: 'passed' }
    : { id, suite, outcome: 'failed', input: one, expected, actual };
}

/** Names that the reference generates for the type of `self`. */
const withoutDumps = (value: object): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(/selfType\d+|@self/g, '<self>'));

export const suite: Suite = {
  name: 'oracles/schema',
  async *run(dataDirectory) {
    const folder = join(dataDirectory, 'oracles');
    for (const file of readdirSync(folder)
      .filter((name) => /^schema.*\.jsonl$/.test(name))
      .sort()) {
      for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
        if (!line.includes('"suite":"rule-estimate')) continue;
        yield runCase(JSON.parse(line) as Case);
      }
    }
  },
};
