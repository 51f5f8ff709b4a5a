// What expressions cost beside other engines: npx tsx --conditions=@ashlar/source bench/cel.bench.ts [milliseconds]
// Ten expressions of policies over a Deployment, evaluated with metering and without, and compiled. Rounds of all engines
// alternate in one process; the median of the rounds counts. Set beside cel-go by running its bench in the same minutes.
import { readFileSync } from 'node:fs';
import { createEnvironment, type Environment, stringsLibrary, types } from '@ashlar/cel';
import { celEnv, parse as parseBufbuild, plan as planBufbuild } from '@bufbuild/cel';
import { strings } from '@bufbuild/cel/ext';
import { Environment as MarcbachmannEnvironment } from '@marcbachmann/cel-js';
import * as celJs from 'cel-js';

interface Expressions {
  readonly object: object;
  readonly oldObject: object;
  readonly params: object;
  readonly expressions: readonly { readonly name: string; readonly text: string }[];
}

type Run = () => unknown;

/** An engine: makes an expression ready to run over the data; undefined where it cannot. */
interface Engine {
  readonly name: string;
  prepare(text: string): Run | undefined;
  compile(text: string): unknown;
}

const data = JSON.parse(
  readFileSync(new URL('./cel-expressions.json', import.meta.url), 'utf8'),
) as Expressions;
const bindings = { object: data.object, oldObject: data.oldObject, params: data.params };
/** The same with whole numbers as the engines want them that tell them from fractions. */
const exact = withBigints(bindings) as Record<string, never>;

function withBigints(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withBigints);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withBigints(inner)]));
  }
  return Number.isInteger(value) ? BigInt(value as number) : value;
}

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

/** The run, where it gives what ours gives. */
function working(make: () => Run | undefined, wanted: unknown): Run | undefined {
  try {
    const run = make();
    return run?.() === wanted ? run : undefined;
  } catch {
    return undefined;
  }
}

/** Nanoseconds of processor time of one call, over so many milliseconds. */
function time(run: Run, milliseconds: number): number {
  let calls = 0;
  const start = process.cpuUsage();
  let elapsed = 0;
  while (elapsed < milliseconds * 1000) {
    for (let i = 0; i < 200; i++) run();
    calls += 200;
    const { user, system } = process.cpuUsage(start);
    elapsed = user + system;
  }
  return (elapsed / calls) * 1000;
}

const ROUNDS = 7;
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] as number;

/** Medians of alternating rounds; NaN for what cannot run. */
function compare(runs: readonly (Run | undefined)[], milliseconds: number): number[] {
  for (const run of runs) if (run) time(run, milliseconds);
  const rounds = Array.from({ length: ROUNDS }, () =>
    runs.map((run) => (run ? time(run, milliseconds) : Number.NaN)),
  );
  return runs.map((_, i) => median(rounds.map((round) => round[i] as number)));
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

const milliseconds = Number(process.argv[2] ?? 60);
const evaluations = data.expressions.map(({ name, text }): [string, number[]] => {
  const wanted = metered.prepare(text)?.();
  return [
    name,
    compare(
      engines.map((engine) => working(() => engine.prepare(text), wanted)),
      milliseconds,
    ),
  ];
});
report('evaluate', evaluations);
const metering = evaluations.map(([, [withMeter = 0, without = 1]]) => withMeter / without);
console.log(
  `\nmetering costs ${((metering.reduce((sum, ratio) => sum + ratio, 0) / metering.length - 1) * 100).toFixed(1)} % on average`,
);
const compilations = data.expressions.map(({ name, text }): [string, number[]] => [
  name,
  compare(
    engines.map((engine) => () => engine.compile(text)),
    milliseconds,
  ),
]);
report('compile', compilations);
