import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonObject, type JsonValue, jsonEqual } from '@ashlar/core';
import {
  compareTyped,
  compileKindFieldType,
  DEDUCED,
  decodeFieldSet,
  encodeFieldSet,
  extractItems,
  type FieldType,
  fieldSetOf,
  mergeTyped,
  removeItems,
  typedErrorText,
  validateTyped,
} from '@ashlar/field-manager';
import { builtInSchema } from '../built-in-schemas.ts';
import { kindSchema, recordedSchema } from '../structural-schema.ts';
import type { CaseResult, Suite } from '../suite.ts';
import { sameTypedErrors } from '../typed-errors.ts';

/** The single steps of server-side apply on typed values (oracles/apply*.jsonl, suites typed-*). */
export const suite: Suite = {
  name: 'oracles/apply',
  async *run(dataDirectory) {
    const cases = [...readCases(join(dataDirectory, 'oracles'))];
    const schemas = new Map(
      cases
        .filter((entry) => entry.suite === 'schema')
        .map((entry) => [entry.name as string, entry.schema as JsonObject]),
    );
    for (const entry of cases)
      if (entry.suite.startsWith('typed-')) yield runCase(entry, fieldTypeOf(entry.type as string, schemas));
  },
};

interface Case {
  readonly id: string;
  readonly suite: string;
  readonly [field: string]: JsonValue | undefined;
}

function* readCases(folder: string): Iterable<Case> {
  if (!existsSync(folder)) return;
  for (const file of readdirSync(folder).sort()) {
    if (!/^apply.*\.jsonl$/.test(file)) continue;
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
      const entry = line === '' ? undefined : (JSON.parse(line) as Case);
      if (entry?.suite) yield entry;
    }
  }
}

/** A built-in kind, a kind with one of the recorded schemas, or one without. */
function fieldTypeOf(name: string, schemas: ReadonlyMap<string, JsonObject>): FieldType {
  if (name.includes(' ')) return compileKindFieldType(builtInSchema(name));
  const spec = schemas.get(name);
  if (!spec) return DEDUCED;
  return compileKindFieldType(kindSchema(recordedSchema(spec), recordedSchema(schemas.get('status') ?? {})));
}

type Answers = Readonly<Record<string, JsonValue | undefined>>;

const CHECKS: Readonly<Record<string, (entry: Case, type: FieldType) => Answers>> = {
  'typed-validate': (entry, type) => ({
    error: errorText(validateTyped(entry.object as JsonValue, type)),
    errorAllowDuplicates: errorText(
      validateTyped(entry.object as JsonValue, type, { allowDuplicates: true }),
    ),
  }),
  'typed-fieldset': (entry, type) => ({ set: encodeFieldSet(fieldSetOf(entry.object as JsonValue, type)) }),
  'typed-merge': (entry, type) => ({
    result: mergeTyped(entry.live as JsonValue, entry.config as JsonValue, type),
  }),
  'typed-compare': (entry, type) => {
    const { added, modified, removed } = compareTyped(entry.old as JsonValue, entry.new as JsonValue, type);
    return {
      added: encodeFieldSet(added),
      modified: encodeFieldSet(modified),
      removed: encodeFieldSet(removed),
    };
  },
  'typed-remove': (entry, type) => {
    const set = decodeFieldSet(entry.set as JsonValue);
    const object = entry.object as JsonValue;
    return { removed: removeItems(object, set, type), extracted: extractItems(object, set, type) };
  },
};

function runCase(entry: Case, type: FieldType): CaseResult {
  const { id, suite } = entry;
  const answer = CHECKS[suite]?.(entry, type);
  if (!answer) return { id, suite, outcome: 'skipped', reason: `no check for suite ${suite}` };
  const expected = Object.fromEntries(Object.keys(answer).map((key) => [key, entry[key] ?? null]));
  if (Object.keys(answer).every((key) => sameAnswer(expected[key] ?? null, answer[key] ?? null)))
    return { id, suite, outcome: 'passed' };
  return { id, suite, outcome: 'failed', input: entry, expected, actual: answer };
}

function sameAnswer(expected: JsonValue, actual: JsonValue): boolean {
  if (typeof expected === 'string' && typeof actual === 'string') return sameTypedErrors(expected, actual);
  return jsonEqual(expected, actual);
}

function errorText(errors: readonly string[]): string | null {
  return errors.length === 0 ? null : typedErrorText(errors);
}
