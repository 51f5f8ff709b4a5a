// Evaluates made expressions over made data: npx tsx --conditions=@ashlar/source bench/cel-fuzz.ts [evaluations] [seed]
// Ten million evaluations unless told. Texts are those of the package's own test: made by the grammar, cut and mixed, and
// made by chance; data fit their declarations, or do not. Every evaluation must give a value or an error that says what,
// within the budget, and the same by every way of running it: with loops planned the general way, without metering, again.
// Prints what it saw, and fails with the first expressions and data of which this is not so.
import { createEnvironment, type Environment, type Evaluation, type Program, toJson } from '@ashlar/cel';
import fc from 'fast-check';
import { everything } from '../packages/cel/src/environment/expressions.fixture.ts';
import { text } from '../packages/cel/src/environment/fuzzing.fixture.ts';
import { PlanError } from '../packages/cel/src/plan/plan.ts';

const wanted = Number(process.argv[2] ?? 10_000_000);
const seed = Number(process.argv[3] ?? 1);
const TEXTS_AT_ONCE = 1000;
const DATA_OF_EACH = 16;
/** Of every four evaluations one has little to spend. */
const COST_LIMITS = [10_000, 10_000, 10_000, 40];
/** A single call may pass the limit by what it works on, which the data bound. */
const MOST_OF_ONE_CALL = 10_000_000;
const SHOWN = 5;

const metered = createEnvironment(everything);
const unmetered = createEnvironment({ ...everything, costModel: false });

const word = fc.oneof(
  fc.constantFrom('', 'a', 'web', 'wéb-1', '😀', '10.0.0.1', '1h', '2024-02-29T12:00:00Z', 'e\u0301'),
  fc.string({ unit: 'binary', maxLength: 40 }),
);
const whole = fc.oneof(
  fc.integer(),
  fc.constantFrom(0, -1, 2 ** 53 - 1, 1 - 2 ** 53),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
);
const fieldName = fc.constantFrom(
  'spec',
  'replicas',
  'ratio',
  'name',
  'tags',
  'ports',
  'http',
  'none',
  'app',
  'length',
  'constructor',
);
const { anything } = fc.letrec<{ anything: unknown }>((tie) => ({
  anything: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, false, 1.5),
    word,
    fc.integer(),
    fc.double(),
    fc.array(tie('anything'), { maxLength: 4 }),
    fc.dictionary(fieldName, tie('anything'), { maxKeys: 5 }),
  ),
}));
/** Mostly what is declared; now and then something else, or nothing. */
const bound = (declared: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { arbitrary: declared, weight: 9 },
    { arbitrary: fc.option(anything, { nil: undefined }), weight: 1 },
  );
const data = fc.record({
  object: anything,
  numbers: bound(fc.array(whole, { maxLength: 6 })),
  words: bound(fc.array(word, { maxLength: 6 })),
  labels: bound(fc.dictionary(fc.oneof(fieldName, word), word, { maxKeys: 4 })),
  count: bound(whole),
  name: bound(word),
  ready: bound(fc.boolean()),
});

type Ways = Readonly<Record<'checked' | 'general' | 'unmetered' | 'unchecked', Program | undefined>>;

function programOf(make: () => Program): Program | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof PlanError) return undefined;
    throw error;
  }
}

function waysOf(source: string): Ways | undefined {
  const parsed = metered.parse(source);
  if (!parsed.ok) return undefined;
  const { expression } = parsed;
  const checked = metered.check(expression);
  const planned = (environment: Environment, generalLoops = false): Program | undefined =>
    checked.ok ? programOf(() => environment.program(checked.expression, { generalLoops })) : undefined;
  return {
    checked: planned(metered),
    general: planned(metered, true),
    unmetered: planned(unmetered),
    unchecked: programOf(() => metered.program(expression)),
  };
}

/** Values as JSON, where bytes and times have their texts; errors by their words. */
function shown(result: Evaluation): string {
  return result.ok ? `value ${JSON.stringify(toJson(result.value))}` : `error ${result.error.message}`;
}

function isSound(result: Evaluation, costLimit: number): boolean {
  if (!(result.cost >= 0 && result.cost <= costLimit + MOST_OF_ONE_CALL)) return false;
  return result.ok ? result.cost <= costLimit : result.error.message !== '';
}

interface Case {
  readonly source: string;
  readonly bindings: Readonly<Record<string, unknown>>;
  readonly costLimit: number;
}

const counts = { texts: 0, parsed: 0, checked: 0, evaluations: 0, values: 0, errors: 0, interrupted: 0 };
const faults: string[] = [];

function run(program: Program, { source, bindings, costLimit }: Case): Evaluation {
  const result = program.evaluate(bindings, { costLimit });
  counts.evaluations++;
  if (result.ok) counts.values++;
  else if (result.interrupted) counts.interrupted++;
  else counts.errors++;
  if (!isSound(result, costLimit)) report('unsound', { source, bindings, costLimit }, [result]);
  return result;
}

function report(what: string, { source, bindings }: Case, results: readonly Evaluation[]): void {
  const values = JSON.stringify(bindings, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
  const lines = results.map((result) => `    ${shown(result)}, cost ${result.cost}`);
  faults.push([`${what}: ${source}`, `  over ${values}`, ...lines].join('\n'));
}

/** All ways agree on values and errors, and the metered ones on the cost. */
function compare(ways: Ways, one: Case): void {
  const { checked, general, unmetered: free, unchecked } = ways;
  if (unchecked) run(unchecked, one);
  if (!checked || !general || !free) return;
  const first = run(checked, one);
  const others = [run(general, one), run(checked, one)];
  const same = others.every((other) => shown(other) === shown(first) && other.cost === first.cost);
  if (!same && !(first.ok === false && first.interrupted)) {
    report('ways differ', one, [first, ...others]);
  }
  // Without metering an evaluation ends where its loops end, which a metered one need not reach.
  if (first.ok || !first.interrupted) {
    const uncounted = run(free, one);
    if (shown(uncounted) !== shown(first)) report('metering matters', one, [first, uncounted]);
  }
}

function fuzzText(source: string, sets: readonly Readonly<Record<string, unknown>>[]): void {
  counts.texts++;
  const ways = waysOf(source);
  if (!ways) return;
  counts.parsed++;
  if (ways.checked) counts.checked++;
  for (const [i, bindings] of sets.entries())
    compare(ways, { source, bindings, costLimit: COST_LIMITS[i % COST_LIMITS.length] as number });
}

for (let batch = 0; counts.evaluations < wanted && faults.length < SHOWN; batch++) {
  const batchSeed = seed * 1_000_003 + batch;
  const texts = fc.sample(text, { numRuns: TEXTS_AT_ONCE, seed: batchSeed });
  const sets = fc.sample(data, { numRuns: TEXTS_AT_ONCE, seed: batchSeed });
  for (const [i, source] of texts.entries()) {
    const chosen = Array.from({ length: DATA_OF_EACH }, (_, k) => sets[(i + k) % sets.length] ?? {});
    try {
      fuzzText(source, chosen);
    } catch (error) {
      faults.push(`thrown for: ${source}\n  ${error instanceof Error ? error.stack : String(error)}`);
    }
  }
  if (batch % 100 === 0) console.log(JSON.stringify(counts));
}

console.log(JSON.stringify(counts));
console.log(`${faults.length} faults`);
for (const fault of faults.slice(0, SHOWN)) console.log(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
