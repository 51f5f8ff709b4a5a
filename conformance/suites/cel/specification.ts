// The language's own vectors: cel/spec-*.json.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type CelType,
  cidrLibrary,
  createEnvironment,
  type Environment,
  encodersLibrary,
  type FunctionDeclaration,
  ipLibrary,
  mathLibrary,
  optionalLibrary,
  stringsLibrary,
  twoVariableLibrary,
  typeText,
  type Value,
} from '@ashlar/cel';
import type { CaseResult } from '../../suite.ts';
import { decode, type Encoded, matches, typeNamed } from './values.ts';

interface Vector {
  readonly id: string;
  readonly expr: string;
  readonly container?: string;
  readonly typeEnv?: readonly Declared[];
  readonly bindings?: Readonly<Record<string, Encoded>>;
  readonly disableMacros?: boolean;
  readonly disableCheck?: boolean;
  readonly checkOnly?: boolean;
  readonly checkedType?: string;
  readonly features?: readonly string[];
  readonly expect: { readonly value?: Encoded; readonly type?: string; readonly error?: string };
}

interface Declared {
  readonly name: string;
  readonly type?: string;
  readonly overloads?: readonly { id: string; params: string[]; result: string; member: boolean }[];
}

const SKIPPED: Readonly<Record<string, string>> = {
  protobuf: 'needs protobuf messages',
  'ext:protos': 'needs protobuf messages',
  'ext:block': 'cel.block is not part of an API server',
  'strong-enums': 'strong enums are not part of an API server',
  'skipped-by-reference-implementation': 'the reference implementation does not pass it',
};

export async function* specificationCases(folder: string): AsyncIterable<CaseResult> {
  for (const file of readdirSync(folder)
    .filter((name) => /^spec-.*\.json$/.test(name))
    .sort()) {
    const { vectors } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { vectors: Vector[] };
    for (const vector of vectors) yield runCase(vector);
  }
}

function runCase(vector: Vector): CaseResult {
  const suite = 'spec';
  const reason = vector.features?.map((feature) => SKIPPED[feature]).find((known) => known !== undefined);
  if (reason) return { id: vector.id, suite, outcome: 'skipped', reason };
  const actual = run(vector);
  if (satisfies(vector, actual)) return { id: vector.id, suite, outcome: 'passed' };
  const shown = 'value' in actual ? { value: String(show(actual.value)), type: actual.type } : actual;
  return { id: vector.id, suite, outcome: 'failed', input: vector, expected: vector.expect, actual: shown };
}

const show = (value: Value | undefined): unknown => {
  try {
    return JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? `${v}n` : v));
  } catch {
    return value;
  }
};

type Actual =
  | { readonly error: string }
  | { readonly value: Value | undefined; readonly type: string | undefined };

function run(vector: Vector): Actual {
  const environment = environmentOf(vector);
  const parsed = environment.parse(vector.expr);
  if (!parsed.ok) return { error: parsed.issues.map((issue) => issue.message).join('\n') };
  let { expression } = parsed;
  let type: string | undefined;
  if (!vector.disableCheck) {
    const checked = environment.check(expression);
    if (!checked.ok) return { error: checked.issues.map((issue) => issue.message).join('\n') };
    expression = checked.expression;
    type = typeText(checked.expression.type);
    if (vector.checkOnly) return { value: undefined, type };
  }
  const bindings = Object.fromEntries(
    Object.entries(vector.bindings ?? {}).map(([name, value]) => [name, decode(value)]),
  );
  const result = environment.program(expression).evaluate(bindings);
  return result.ok ? { value: result.value, type } : { error: result.error.message };
}

const wanted = (name: string): string => (name === 'null_type' ? 'null' : name);

function satisfies(vector: Vector, actual: Actual): boolean {
  const { expect, checkedType } = vector;
  if ('error' in actual) return expect.error !== undefined;
  if (expect.error !== undefined) return false;
  const type = expect.type ?? checkedType;
  if (type !== undefined && actual.type !== undefined && actual.type !== wanted(type)) return false;
  return expect.value === undefined || (actual.value !== undefined && matches(actual.value, expect.value));
}

const isVariable = (declared: Declared): boolean => declared.type !== undefined;

function environmentOf(vector: Vector): Environment {
  const features = new Set(vector.features);
  const declared = vector.typeEnv ?? [];
  const libraries = [
    optionalLibrary,
    stringsLibrary(4),
    mathLibrary,
    encodersLibrary,
    twoVariableLibrary,
    ...(features.has('ext:network') ? [ipLibrary('plain'), cidrLibrary('plain')] : []),
  ];
  return createEnvironment({
    libraries,
    variables: Object.fromEntries(
      declared.filter(isVariable).map(({ name, type }) => [name, typeNamed(type as string)]),
    ),
    functions: declared.filter((one) => !isVariable(one)).map(functionOf),
    container: vector.container ?? '',
    foldConstants: false,
    syntax: {
      quotedIdentifiers: features.has('quoted-identifiers'),
      ...(vector.disableMacros && { macros: [] }),
    },
  });
}

function functionOf(declared: Declared): FunctionDeclaration {
  const overloads = (declared.overloads ?? []).map(({ id, params, result, member }) => ({
    id,
    member,
    parameters: params.map(typeNamed) as CelType[],
    result: typeNamed(result),
  }));
  return { name: declared.name, overloads };
}
