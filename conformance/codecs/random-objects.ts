import { isJsonObject, type JsonObject, type JsonValue, type Schema } from '@ashlar/core';
import type { Choices } from './choices.ts';

const TEXTS = ['', 'a', 'web', 'ü🙂', '10Mi', '-1', 'x'.repeat(70), '2024-01-02T03:04:05Z', 'true', 'A_b'];
const NUMBERS = [0, 1, -1, 80, 65_536, 2_147_483_647, -2_147_483_648];
/** Members below this depth are generated only as empty objects and lists. */
const DEPTH = 6;

/** Returns an object with some changes, of which each fits the schema: what is changed can be encoded. */
export function changed(choices: Choices, object: JsonObject, schema: Schema, changes: number): JsonObject {
  let result = object;
  for (let i = 0; i < changes; i++) result = changedOnce(choices, result, schema, 0) as JsonObject;
  return result;
}

function changedOnce(choices: Choices, value: JsonValue, schema: Schema, depth: number): JsonValue {
  if (Array.isArray(value)) return changedList(choices, value, schema, depth);
  if (isJsonObject(value)) return changedObject(choices, value, schema, depth);
  return generated(choices, schema, depth);
}

function changedList(
  choices: Choices,
  list: readonly JsonValue[],
  { items = {} }: Schema,
  depth: number,
): JsonValue {
  const at = choices.below(list.length + 1);
  const item = list[at];
  if (item === undefined || choices.chance(10)) return [...list, generated(choices, items, depth + 1)];
  if (choices.chance(15)) return list.filter((_, index) => index !== at);
  if (choices.chance(10)) return [...list, item];
  return list.map((each, index) => (index === at ? changedOnce(choices, each, items, depth + 1) : each));
}

/** Names are what the requests go by. */
const KEPT = new Set(['apiVersion', 'kind', 'name', 'namespace']);

function changedObject(choices: Choices, object: JsonObject, schema: Schema, depth: number): JsonValue {
  const isMetadata = depth === 1 && 'name' in object;
  const declared = Object.keys(schema.properties ?? {}).filter(
    (name) => !(isMetadata || depth === 0) || !KEPT.has(name),
  );
  const own = Object.keys(object).filter((name) => !(isMetadata || depth === 0) || !KEPT.has(name));
  const isNew = declared.length > 0 && (own.length === 0 || choices.chance(25));
  const name = isNew ? choices.pick(declared) : own.length > 0 ? choices.pick(own) : 'a';
  const member = memberSchema(schema, name);
  if (!member) return object;
  const before = object[name];
  if (before !== undefined && choices.chance(10)) {
    const { [name]: _, ...rest } = object;
    return rest;
  }
  const after =
    before === undefined || before === null
      ? generated(choices, member, depth + 1)
      : changedOnce(choices, before, member, depth + 1);
  return { ...object, [name]: after };
}

function memberSchema({ properties = {}, additionalProperties }: Schema, name: string): Schema | undefined {
  const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return own ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
}

/** A random value of a schema. */
function generated(choices: Choices, schema: Schema, depth: number): JsonValue {
  const { enum: values = [], intOrString, format = '' } = schema;
  if (values.length > 0 && choices.chance(80)) return choices.pick(values) as JsonValue;
  if (intOrString) return choices.chance(50) ? choices.pick(NUMBERS) : choices.pick(TEXTS);
  switch (schema.type) {
    case 'string':
      return textOf(choices, format);
    case 'integer':
      return choices.pick(NUMBERS);
    case 'number':
      return choices.pick([0, 1, 0.5, -2.25]);
    case 'boolean':
      return choices.chance(50);
    case 'array': {
      const length = depth < DEPTH ? choices.below(3) : 0;
      return Array.from({ length }, () => generated(choices, schema.items ?? {}, depth + 1));
    }
    default:
      return generatedObject(choices, schema, depth);
  }
}

function textOf(choices: Choices, format: string): string {
  if (format === 'byte') return choices.pick(['', 'aGk=', 'AAEC/w==']);
  if (format === 'date-time') return choices.pick(['2024-01-02T03:04:05Z', '1970-01-01T00:00:00Z']);
  if (format === 'date-time-micro')
    return choices.pick(['2024-01-02T03:04:05.000006Z', '1969-12-31T23:59:59.999999Z']);
  if (format === 'quantity') return choices.pick(['1', '100m', '1Gi', '0', '-3', '1e3', '0.5']);
  if (format === 'duration') return choices.pick(['1s', '0s', '1h30m0s']);
  return choices.pick(TEXTS);
}

function generatedObject(choices: Choices, schema: Schema, depth: number): JsonObject {
  const { properties = {}, additionalProperties: values, format = '' } = schema;
  if (depth >= DEPTH) return {};
  if (format === 'raw-extension') return { kind: 'A', apiVersion: 'v1', a: 1 };
  if (format === 'fields-v1') return { 'f:a': {} };
  const members = Object.entries(properties).filter(() => choices.chance(30));
  const entries = members.map(([name, member]) => [name, generated(choices, member, depth + 1)] as const);
  if (typeof values !== 'object') return Object.fromEntries(entries);
  const keys = ['a', 'app', 'example.com/x'].filter(() => choices.chance(40));
  return Object.fromEntries(keys.map((key) => [key, generated(choices, values, depth + 1)]));
}
