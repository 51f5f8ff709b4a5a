import { type Field, resolved } from '../../bench/attack/fields/fields-of.ts';
import { filled } from '../../bench/attack/fields/filled.ts';
import { sampleOf } from '../../bench/attack/fields/samples.ts';
import type { Members } from '../../bench/attack/fields/seeds.ts';
import type { Schemas, ServedKind } from '../../bench/attack/fields/served-kinds.ts';
import type { Choices } from '../codecs/choices.ts';
import { endpointsOf, type Question, questionOf, VALUES, type Way } from './questions.ts';

/** Values that many fields can have, as JSON: rules about two fields are reached only if each is valid. */
const ORDINARY: readonly string[] = [
  ...'a b a.b a.example.com/b A /a 10.0.0.1 fd00::1 80% 100m 1Gi'.split(' ').map((text) => `"${text}"`),
  ...['0', '1', '2', '80', '100', 'true', 'false', '["a"]', '["a","b"]', '[1]', '{"a":"b","c":"d"}'],
];

/** Percentage of values that the type of a field suggests. */
const SUGGESTED = 60;
/** Percentage of pairs whose fields are members of the same object. */
const NEIGHBOURS = 70;

/** Asks about pairs of fields of a kind, with values of both: rules are often about two. */
export function* pairsOf(
  kind: ServedKind,
  { seed, way, fields }: { readonly seed: Members; readonly way: Way; readonly fields: readonly Field[] },
  { count, choices }: { readonly count: number; readonly choices: Choices },
): Generator<Question> {
  const drawnValue = ({ schema }: Field): string => {
    const suggested = suggestedValues(schema, kind.schemas);
    const isSuggested = choices.chance(SUGGESTED) && suggested.length > 0;
    return choices.pick(isSuggested ? suggested : [...ORDINARY, ...VALUES]);
  };
  const neighbours = byParent(fields);
  for (let i = 0; i < count; i++) {
    const first = choices.pick(fields);
    const near = neighbours.get(parentOf(first)) ?? fields;
    const second = choices.pick(choices.chance(NEIGHBOURS) ? near : fields);
    const values = [drawnValue(first), drawnValue(second)] as const;
    const text = bothFilled(kind, seed, [first, second], values);
    if (text === undefined) continue;
    const what = `${first.path.join('.')} = ${values[0]}, ${second.path.join('.')} = ${values[1]}`;
    yield questionOf(kind, seed, way, { endpoint: choices.pick(endpointsOf(first, way)), text, what });
  }
}

function byParent(fields: readonly Field[]): ReadonlyMap<string, readonly Field[]> {
  const groups = new Map<string, Field[]>();
  for (const field of fields) {
    const group = groups.get(parentOf(field));
    if (group) group.push(field);
    else groups.set(parentOf(field), [field]);
  }
  return groups;
}

const parentOf = ({ path }: Field): string => path.slice(0, -1).join('.');

/** JSON of an object with two fields; undefined if the first one leaves no place for the second. */
function bothFilled(
  { schema, schemas }: ServedKind,
  seed: Members,
  [first, second]: readonly [Field, Field],
  [a, b]: readonly [string, string],
): string | undefined {
  try {
    const one = JSON.parse(filled(seed, schema, schemas, first, a)) as Members;
    const both = filled(one, schema, schemas, second, b);
    return JSON.stringify(JSON.parse(both));
  } catch {
    return undefined;
  }
}

function suggestedValues(schema: Field['schema'], schemas: Schemas): readonly string[] {
  const { enum: values } = resolved(schema, schemas);
  if (values) return values.map((value) => JSON.stringify(value));
  return [1, 2].flatMap((i) =>
    (['least', 'all'] as const).map((extent) =>
      // with one key a map has one order
      JSON.stringify(sampleOf(schema, schemas, i, extent)).replaceAll(`"k${i}":`, '"a":'),
    ),
  );
}
