// Whether functions and operators of expressions take the time that they are charged for:
//   npx tsx --conditions=@ashlar/source bench/cel/costs.ts [name]
// Every overload of the libraries is called with inputs of growing size, and with worst cases. Its price is
// what ends an evaluation: its cost units, or its steps if those are more. The minimum time of several
// rounds is divided by the price. Fails if a function has no entry here, if the time per unit grows more
// than twofold from the smallest input to one eight times as large, or if it is more expensive than all
// others.
import { readdirSync } from 'node:fs';
import { createEnvironment, kubernetesCosts, types } from '@ashlar/cel';
import { type JsonObject, kubernetesVocabulary } from '@ashlar/core';
import type { FunctionDeclaration, Library, Overload } from '../../packages/cel/src/check/declarations.ts';
import type { CelType } from '../../packages/cel/src/check/types.ts';
import { sizeOf } from '../../packages/cel/src/cost/cost-model.ts';
import { standardCosts } from '../../packages/cel/src/cost/standard-costs.ts';
import { allowSteps, stepsFor } from '../../packages/cel/src/cost/work.ts';
import { standardLibrary } from '../../packages/cel/src/libraries/standard.ts';
import { standardMacros } from '../../packages/cel/src/syntax/macros.ts';
import type { Value } from '../../packages/cel/src/values/values.ts';
import { macroRows, rows } from './costs-rows.ts';

const SIZES = [2000, 4000, 8000, 16_000];
const ROUNDS = 5;
const ROUND_MILLISECONDS = 2;
/** Maximum growth of the time per unit. */
const MOST_GROWTH = 2;
/** Maximum nanoseconds per unit; the median is less than a hundredth of it. */
const MOST_FACTOR = 100;
/** Below this multiple of the median the time per unit may grow: then small inputs are cheap. */
const CHEAP = 4;
const STEPS_PER_UNIT = stepsFor(1e9) / 1e9;

const only = process.argv[2];

/** Every library of the package, found in its folder. */
async function allLibraries(): Promise<Library[]> {
  const folder = new URL('../../packages/cel/src/libraries/', import.meta.url);
  const found: Library[] = [standardLibrary];
  for (const file of readdirSync(folder)) {
    if (!file.endsWith('.ts') || file.includes('.test.')) continue;
    const exported = (await import(new URL(file, folder).href)) as Record<string, unknown>;
    for (const [name, value] of Object.entries(exported)) {
      if (!name.endsWith('Library') || name === 'standardLibrary') continue;
      found.push(libraryOf(name, value));
    }
  }
  return found;
}

/** Libraries created without options, or with a version; all others are created with a vocabulary. */
const OPTIONS: Readonly<Record<string, readonly unknown[]>> = {
  stringsLibrary: [],
  ipLibrary: [],
  cidrLibrary: [],
  aggregatesLibrary: [1],
};

function libraryOf(name: string, library: unknown): Library {
  if (typeof library !== 'function') return library as Library;
  return library(...(OPTIONS[name] ?? [kubernetesVocabulary])) as Library;
}

/** One case, at growing sizes. */
interface Case {
  readonly name: string;
  /** Runs once; returns its cost. */
  readonly prepare: (size: number) => () => number;
}

const libraries = await allLibraries();
const environment = createEnvironment({ libraries: libraries.slice(1), costModel: kubernetesCosts });

function constant(text: string): Value {
  const compiled = environment.compile(text);
  if (!compiled.ok) throw new Error(`${text}: ${compiled.text}`);
  const result = compiled.program.evaluate({});
  if (!result.ok) throw new Error(`${text}: ${result.error.message}`);
  return result.value;
}

const samples: Readonly<Record<string, Value>> = {
  null_type: null, bool: true, int: 1, uint: constant('1u'), double: 1.5,
  timestamp: constant('timestamp("2024-02-29T12:00:00Z")'), duration: constant('duration("1h")'),
  type: constant('int'), optional_type: constant('optional.of(1)'),
  'net.IP': constant('ip("10.0.0.1")'), 'net.CIDR': constant('cidr("10.0.0.0/8")'),
  'kubernetes.URL': constant('url("https://a.example/b")'), 'kubernetes.Quantity': constant('quantity("1Gi")'),
  'kubernetes.Semver': constant('semver("1.2.3")'), 'kubernetes.NamedFormat': constant('format.dns1123Label()'),
}; // biome-ignore format: a table

/** A value of a type: texts, lists, maps and bytes of the size, all others typical. */
function sample(type: CelType, size: number): Value {
  const [first, second] = type.parameters;
  switch (type.kind) {
    case 'string':
      return 'a'.repeat(size);
    case 'bytes':
      return new Uint8Array(size).fill(0x61);
    case 'list':
      return Array.from({ length: size }, (_, i) =>
        first?.kind === 'int' || first?.kind === 'parameter'
          ? i
          : first?.kind === 'list'
            ? [i]
            : sample(first as CelType, 8),
      );
    case 'map':
      return Object.fromEntries(
        Array.from({ length: size }, (_, i) => [`k${i}`, sample(second as CelType, 8)]),
      ) as JsonObject;
    case 'dyn':
    case 'parameter':
      return 'a'.repeat(size);
    default: {
      const own =
        samples[type.name] ??
        samples[type.kind] ??
        Object.entries(samples).find(([name]) => type.name.endsWith(name.replace('kubernetes', '')))?.[1];
      if (own === undefined) throw new Error(`no sample of ${type.name}`);
      return own;
    }
  }
}

function costOf(overload: Overload, args: readonly Value[], result: Value): number {
  if (overload.id === 'equals' || overload.id === 'not_equals')
    return Math.ceil(Math.min(sizeOf(args[0] as Value), sizeOf(args[1] as Value)) * kubernetesCosts.text);
  const cost = overload.cost ?? standardCosts[overload.id];
  return cost ? cost(args, result, kubernetesCosts) : 1;
}

function casesOf(declared: FunctionDeclaration): Case[] {
  const row = rows[declared.name];
  if (row === undefined) throw new Error(`bench/cel/costs-rows.ts has no row for ${declared.name}`);
  if (row === 'not called') return [];
  return declared.overloads.flatMap((overload) => {
    const call = overload.evaluate ?? declared.evaluate;
    if (!call) return [];
    const ofOverload = row === 'by type' ? [] : (row[overload.id] ?? []);
    const makers = [
      ...(row !== 'by type' && row['by type'] !== undefined
        ? []
        : [(size: number) => overload.parameters.map((type) => sample(type, size))]),
      ...ofOverload.map(
        (make) => (size: number) =>
          make(size).map((value) =>
            typeof value === 'object' && value !== null && 'expression' in value
              ? constant(String(value.expression))
              : (value as Value),
          ),
      ),
    ];
    return makers.map((make, i) => ({
      name: `${overload.id}${i === 0 ? '' : ` #${i}`}`,
      prepare: (size: number) => {
        const args = make(size);
        return () => costOf(overload, args, call(...args));
      },
    }));
  });
}

function macroCases(library: Library): Case[] {
  return (library.macros ?? []).flatMap((macro) => {
    const key = `${macro.name}/${macro.arguments}`;
    const text = macroRows[key];
    if (text === undefined) throw new Error(`bench/cel/costs-rows.ts has no row for the macro ${key}`);
    const compiled = environment
      .extend({ variables: { list: types.list(types.int), map: types.map(types.string, types.int) } })
      .compile(text);
    if (!compiled.ok) throw new Error(`${text}: ${compiled.text}`);
    return [
      {
        name: `${key} ${text}`,
        prepare: (size: number) => {
          const list = Array.from({ length: size }, (_, i) => i);
          const map = Object.fromEntries(list.map((i) => [`k${i}`, i]));
          return () => {
            const result = compiled.program.evaluate({ list, map }, { costLimit: 1e12 });
            if (!result.ok) throw new Error(`${text}: ${result.error.message}`);
            return result.cost;
          };
        },
      },
    ];
  });
}

interface Measured {
  readonly nanoseconds: number;
  readonly units: number;
}

const PLENTY = 1e15;

function measure({ name, prepare }: Case, size: number): Measured {
  const run = prepare(size);
  allowSteps(PLENTY);
  let cost = 0;
  try {
    cost = run();
  } catch (error) {
    throw new Error(`${name} with ${size}: ${String(error)}`);
  }
  const steps = PLENTY - allowSteps(Number.POSITIVE_INFINITY);
  let least = Number.POSITIVE_INFINITY;
  let calls = 1;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    for (let i = 0; i < calls; i++) run();
    const milliseconds = performance.now() - start;
    least = Math.min(least, (milliseconds * 1e6) / calls);
    calls = Math.max(1, Math.min(10_000, Math.round(ROUND_MILLISECONDS / (least / 1e6))));
  }
  return { nanoseconds: least, units: Math.max(1, cost, steps / STEPS_PER_UNIT) };
}

interface Row {
  readonly name: string;
  readonly each: readonly number[];
  readonly growth: number;
}

function measureCase(one: Case): Row {
  let each = SIZES.map(() => Number.POSITIVE_INFINITY);
  for (let attempt = 0; ; attempt++) {
    each = SIZES.map((size, i) => {
      const { nanoseconds, units } = measure(one, size);
      return Math.min(each[i] as number, nanoseconds / units);
    });
    const growth = (each.at(-1) as number) / (each[0] as number);
    // A disturbance of one measurement seldom affects three.
    if (growth <= MOST_GROWTH || attempt === 2) return { name: one.name, each, growth };
  }
}

const declared = libraries.flatMap(({ functions = [] }) => functions);
const cases = [
  ...declared.flatMap(casesOf),
  ...[{ name: 'language', macros: standardMacros }, ...libraries].flatMap(macroCases),
];
const chosen = cases.filter(({ name }) => only === undefined || name.includes(only));
const results = chosen.map(measureCase);
const median =
  results.map(({ each }) => each.at(-1) as number).sort((a, b) => a - b)[results.length >> 1] ?? 0;
const faults: string[] = [];
console.log(`nanoseconds of a unit, inputs of ${SIZES.join(', ')}`);
for (const { name, each, growth } of [...results].sort(
  (a, b) => (b.each.at(-1) as number) - (a.each.at(-1) as number),
)) {
  const dear = (each.at(-1) as number) > MOST_FACTOR * median;
  // Cheap functions may be so for small inputs, which fit into caches.
  const grows = growth > MOST_GROWTH && (each.at(-1) as number) > median * CHEAP;
  const verdict = grows ? ' grows faster than its price' : dear ? ' is dearer than all others' : '';
  if (verdict) faults.push(`${name}${verdict}`);
  console.log(
    `${each.map((value) => value.toFixed(1).padStart(9)).join('')} ${growth.toFixed(2).padStart(6)} × ${name}${verdict}`,
  );
}
console.log(`${results.length} cases, median ${median.toFixed(1)} ns, ${faults.length} faults`);
for (const fault of faults) console.log(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
