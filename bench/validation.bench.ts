// What validation costs: npx tsx --conditions=@ashlar/source bench/validation.bench.ts [milliseconds]
// An object of 4 KB of a custom type with 300 fields and 20 rules: each step of a create, alone, the median
// of rounds.
import { fieldErrorText, type JsonValue, orchVocabulary as vocabulary } from '@ashlar/core';
import { compileStructural, fromOpenApi } from '@ashlar/schema';
import { checkDefinitionSchema, compileValidator } from '@ashlar/validation';
import { definition, object } from './validation-definition.ts';

const MILLISECONDS = Number(process.argv[2] ?? 300);
const ROUNDS = 7;

const schema = fromOpenApi(definition, { vocabulary });
const structure = compileStructural(schema);
const validator = compileValidator(schema, { vocabulary, structure });
const changed = { ...object, spec: { ...(object.spec as object), note: 'changed' } } as JsonValue;

const errors = [
  ...checkDefinitionSchema(definition, { vocabulary, path: 'schema' }),
  ...validator.validate(object),
  ...validator.validateUpdate(changed, object),
];
if (errors.length > 0) throw new Error(errors.map(fieldErrorText).join('\n'));

const steps: Readonly<Record<string, () => unknown>> = {
  'metadata into shape': () => structure.coerceMetadata(object, () => {}),
  prune: () => structure.prune(object, () => {}),
  defaults: () => structure.applyDefaults(object),
  'validate, schema alone': () => structure.validate(object),
  'validate, with rules': () => validator.validate(object),
  'validate an update': () => validator.validateUpdate(changed, object),
  'validate one that differs little': () => validator.validateUpdate(object, changed),
};

function perSecond(step: () => unknown): number {
  let times = 0;
  const start = process.cpuUsage();
  const end = performance.now() + MILLISECONDS;
  while (performance.now() < end) {
    for (let i = 0; i < 10; i++) step();
    times += 10;
  }
  const { user, system } = process.cpuUsage(start);
  return times / ((user + system) / 1e6);
}

const results = new Map<string, number[]>();
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, step] of Object.entries(steps)) {
    results.set(name, [...(results.get(name) ?? []), perSecond(step)]);
  }
}
console.log(`${JSON.stringify(object).length} bytes; per CPU-second:`);
for (const [name, rounds] of results) {
  const median = rounds.sort((a, b) => a - b)[ROUNDS >> 1] as number;
  console.log(
    `${name.padEnd(34)} ${Math.round(median).toString().padStart(8)}   ${(1e6 / median).toFixed(1)} µs`,
  );
}
