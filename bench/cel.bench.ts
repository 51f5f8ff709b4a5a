// What expressions cost compared with other engines: npx tsup && npx tsx bench/cel.bench.ts [milliseconds of
// warm-up]
// Ten expressions of policies over a Deployment, evaluated with metering and without, and compiled. All
// engines run as published and alternate in one process; the minimum of the rounds counts. Compare with
// cel-go by running its bench at the same time. With
// --conditions=@ashlar/source our engine runs from its sources instead, as tsx translates them: tsx gives every
// class and function its name at run time, which makes each class check three times as expensive.
import { readFileSync } from 'node:fs';
import { createEnvironment, type Environment, stringsLibrary, types } from '@ashlar/cel';
import { celEnv, parse as parseBufbuild, plan as planBufbuild } from '@bufbuild/cel';
import { strings } from '@bufbuild/cel/ext';
import { Environment as MarcbachmannEnvironment } from '@marcbachmann/cel-js';
import * as celJs from 'cel-js';
import { withBigints } from './cel/with-bigints.ts';

interface Expressions {
  readonly object: object;
  readonly oldObject: object;
  readonly params: object;
  readonly expressions: readonly { readonly name: string; readonly text: string }[];
}

type Run = () => unknown;

/** An engine: prepares an expression for the data; undefined if it cannot. */
interface Engine {
  readonly name: string;
  prepare(text: string): Run | undefined;
  compile(text: string): unknown;
}

const data = JSON.parse(
  readFileSync(new URL('./cel-expressions.json', import.meta.url), 'utf8'),
) as Expressions;
const bindings = { object: data.object, oldObject: data.oldObject, params: data.params };
/** The same with integers in the form of engines that distinguish them from doubles. */
const exact = withBigints(bindings) as Record<string, never>;

const LIMIT = { costLimit: 1_000_000 };

function ours(name: string, environment: Environment): Engine {
  const compile = (text: string) => {
    const compiled = environment.compile(text);
    if (!compiled.ok) throw new Error(compiled.text);
    return compiled.program;
  };
  return {
    name,
    compile,
    prepare: (text) => {
      const program = compile(text);
      return () => {
        const result = program.evaluate(bindings, LIMIT);
        if (!result.ok) throw new Error(result.error.message);
        return result.value;
      };
    },
  };
}

const variables = { object: types.dyn, oldObject: types.dyn, params: types.dyn };
const libraries = [stringsLibrary(2)];
const metered = ours('@ashlar/cel', createEnvironment({ variables, libraries }));
const unmetered = ours('… unmetered', createEnvironment({ variables, libraries, costModel: false }));

const marcbachmannEnvironment = new MarcbachmannEnvironment()
  .registerVariable('object', 'dyn')
  .registerVariable('oldObject', 'dyn')
  .registerVariable('params', 'dyn');
const marcbachmann: Engine = {
  name: '@marcbachmann/cel-js',
  compile: (text) => marcbachmannEnvironment.parse(text),
  prepare: (text) => {
    const run = marcbachmannEnvironment.parse(text);
    return () => run(exact);
  },
};

const bufbuildEnvironment = celEnv({ funcs: strings });
const bufbuild: Engine = {
  name: '@bufbuild/cel',
  compile: (text) => planBufbuild(bufbuildEnvironment, parseBufbuild(text)),
  prepare: (text) => {
    const run = planBufbuild(bufbuildEnvironment, parseBufbuild(text));
    return () => run(exact);
  },
};

const chevrotain: Engine = {
  name: 'cel-js',
  compile: (text) => celJs.parse(text),
  prepare: (text) => {
    const parsed = celJs.parse(text);
    if (!parsed.isSuccess) return undefined;
    return () => celJs.evaluate(parsed.cst, bindings as never);
  },
};

const engines: readonly Engine[] = [metered, unmetered, marcbachmann, bufbuild, chevrotain];

/** The prepared run, if its result equals that of our engine. */
function working(make: () => Run | undefined, wanted: unknown): Run | undefined {
  try {
    const run = make();
    return run?.() === wanted ? run : undefined;
  } catch {
    return undefined;
  }
}

/** Duration of a round of one engine, in nanoseconds. */
const ROUND = 100_000;
const MOST_CALLS = 1000;
const ROUNDS = 100;

/** Nanoseconds of one call. */
function time(run: Run, calls: number): number {
  const start = process.hrtime.bigint();
  for (let i = 0; i < calls; i++) run();
  return Number(process.hrtime.bigint() - start) / calls;
}

/** The minimum of alternating rounds, each so short that most are undisturbed. NaN if it cannot run. */
function compare(runs: readonly (Run | undefined)[]): number[] {
  const least = runs.map((run) => (run ? time(run, 5) : Number.NaN));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, run] of runs.entries()) {
      const leastSoFar = least[i] as number;
      const calls = Math.max(5, Math.min(MOST_CALLS, Math.round(ROUND / leastSoFar)));
      if (run) least[i] = Math.min(leastSoFar, time(run, calls));
    }
  }
  return least;
}

/** Warms up the engine; every expression before any is timed, as in a process that serves many. */
function warm(run: Run | undefined, milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (run && performance.now() < end) time(run, 5);
}

function report(title: string, rows: readonly (readonly [name: string, times: readonly number[]])[]): void {
  console.log(`\n${title}, nanoseconds`);
  console.log(['', ...engines.map(({ name }) => name), 'ratio'].map((cell) => cell.padStart(21)).join(''));
  for (const [name, times] of rows) {
    const peers = times.slice(2).filter((value) => !Number.isNaN(value));
    const ratio = Math.min(...peers) / (times[0] as number);
    const cells = times.map((value) => (Number.isNaN(value) ? '–' : value.toFixed(0)));
    console.log([name, ...cells, `${ratio.toFixed(1)} ×`].map((cell) => cell.padStart(21)).join(''));
  }
}

const milliseconds = Number(process.argv[2] ?? 100);

const evaluationRuns = data.expressions.map(({ text }) => {
  const wanted = metered.prepare(text)?.();
  return engines.map((engine) => working(() => engine.prepare(text), wanted));
});
for (const run of evaluationRuns.flat()) warm(run, milliseconds);
const evaluations = data.expressions.map(({ name }, i): [string, number[]] => [
  name,
  compare(evaluationRuns[i] as (Run | undefined)[]),
]);
report('evaluate', evaluations);
const metering = evaluations.map(([, [withMeter = 0, without = 1]]) => withMeter / without);
console.log(
  `\nmetering costs ${((metering.reduce((sum, ratio) => sum + ratio, 0) / metering.length - 1) * 100).toFixed(1)} % on average`,
);

const compilationRuns = data.expressions.map(({ text }) =>
  engines.map((engine) => (): unknown => engine.compile(text)),
);
for (const run of compilationRuns.flat()) warm(run, milliseconds);
const compilations = data.expressions.map(({ name }, i): [string, number[]] => [
  name,
  compare(compilationRuns[i] as Run[]),
]);
report('compile', compilations);
