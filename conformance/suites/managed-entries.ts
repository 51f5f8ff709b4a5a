import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonValue, jsonEqual, type ManagedFieldsEntry, type ObjectMeta, runAtOnce } from '@ashlar/core';
import {
  FieldSetError,
  fieldPath,
  fromScaleManagedFieldsSteps,
  ManagedFieldsError,
  type ReplicasPaths,
  toScaleManagedFields,
  upgradeManagedFields,
  upgradeManagedFieldsPatch,
} from '@ashlar/field-manager';
import type { CaseResult, Suite } from '../suite.ts';

/** Entries between an object and its scale, and the migration from client-side apply (oracles/apply*.jsonl). */
export const suite: Suite = {
  name: 'oracles/apply',
  async *run(dataDirectory) {
    const folder = join(dataDirectory, 'oracles');
    if (!existsSync(folder)) return;
    for (const file of readdirSync(folder).sort()) {
      if (!/^apply.*\.jsonl$/.test(file)) continue;
      for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
        const entry = line === '' ? undefined : (JSON.parse(line) as Case);
        if (entry?.suite && CHECKS[entry.suite]) yield runCase(entry);
      }
    }
  },
};

type Entries = readonly ManagedFieldsEntry[];

interface Case {
  readonly id: string;
  readonly suite: string;
  readonly error: string | null;
  readonly parent: Entries;
  readonly scaleEntries: Entries;
  readonly version: string;
  readonly paths: Readonly<Record<string, string | null>>;
  readonly metadata: ObjectMeta;
  readonly csaManagers: readonly string[];
  readonly ssaManager: string;
  readonly [answer: string]: unknown;
}

type Answers = Readonly<Record<string, unknown>>;

const CHECKS: Readonly<Record<string, (entry: Case) => Answers>> = {
  'scale-read': ({ parent, paths }) => ({ entries: toScaleManagedFields(parent, replicasPaths(paths)) }),
  'scale-write': ({ parent, scaleEntries, version, paths }) => ({
    entries: runAtOnce(fromScaleManagedFieldsSteps(parent, scaleEntries, version, replicasPaths(paths))),
  }),
  'client-upgrade': ({ metadata, csaManagers, ssaManager }) => {
    const options = { clientSideManagers: csaManagers, manager: ssaManager };
    return {
      managedFields: upgradeManagedFields(metadata.managedFields, options),
      patch: upgradeManagedFieldsPatch(metadata, options),
    };
  },
};

function runCase(entry: Case): CaseResult {
  const { id, suite } = entry;
  const actual = answer(entry);
  const expected = entry.error
    ? { error: true }
    : Object.fromEntries(Object.keys(actual).map((key) => [key, entry[key] ?? null]));
  if (Object.keys(actual).every((key) => same(expected[key], actual[key])))
    return { id, suite, outcome: 'passed' };
  return { id, suite, outcome: 'failed', input: entry, expected, actual };
}

const same = (a: unknown, b: unknown): boolean =>
  jsonEqual((a ?? null) as JsonValue, (b ?? null) as JsonValue);

function answer(entry: Case): Answers {
  try {
    return (CHECKS[entry.suite] as (entry: Case) => Answers)(entry);
  } catch (error) {
    if (ManagedFieldsError.is(error) || FieldSetError.is(error)) return { error: true };
    throw error;
  }
}

function replicasPaths(paths: Readonly<Record<string, string | null>>): ReplicasPaths {
  const entries = Object.entries(paths).map(([version, path]) => [
    version,
    path === null ? null : fieldPath(...path.split('.').slice(1)),
  ]);
  return Object.fromEntries(entries) as ReplicasPaths;
}
