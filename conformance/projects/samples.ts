import { isJsonObject, type JsonObject, type JsonValue } from '@ashlar/core';

/** The keywords of a schema that samples use. */
export interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly default?: JsonValue;
  readonly enum?: readonly JsonValue[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
}

const DEEPEST = 7;
const TEXTS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-02T03:04:05Z',
  duration: '1h30m',
  byte: 'YQ==',
  ipv4: '10.0.0.1',
  uri: 'https://example.com/',
};

/** An object of a schema with its required fields only, or with all fields, some levels deep. */
export function madeSample(schema: Schema, everything: boolean, depth = 0): JsonValue {
  if (schema.default !== undefined && !everything) return schema.default;
  if (schema.enum?.length) return schema.enum[0] as JsonValue;
  if (schema['x-kubernetes-int-or-string']) return 8080;
  switch (schema.type) {
    case 'string':
      return (TEXTS[schema.format ?? ''] ?? 'sample').slice(0, schema.maxLength);
    case 'integer':
    case 'number':
      return schema.minimum ?? Math.min(1, schema.maximum ?? 1);
    case 'boolean':
      return true;
    case 'array':
      return schema.items && depth < DEEPEST ? [madeSample(schema.items, everything, depth + 1)] : [];
    default:
      return madeObject(schema, everything, depth);
  }
}

function madeObject(schema: Schema, everything: boolean, depth: number): JsonObject {
  const made: Record<string, JsonValue> = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const wanted = schema.required?.includes(name) || (everything && depth < DEEPEST);
    if (wanted) made[name] = madeSample(property, everything, depth + 1);
  }
  if (everything && isJsonObject(schema.additionalProperties as JsonValue) && depth < DEEPEST)
    made.entry = madeSample(schema.additionalProperties as Schema, everything, depth + 1);
  return made;
}

/** A sample with one mistake. */
export interface Mutation {
  readonly what: string;
  readonly object: JsonObject;
}

type Change = readonly [what: string, value: JsonValue];

/**
 * The systematic mistakes of a sample: one field unknown, of a wrong type, missing, outside its enum or its
 * bound.
 */
export function mutationsOf(sample: JsonObject, schema: Schema): Mutation[] {
  const made: Mutation[] = [];
  walk(sample, schema, '', (what, change) => made.push({ what, object: change as JsonObject }), 0);
  return made;
}

type Report = (what: string, whole: JsonValue) => void;

function walk(value: JsonValue, schema: Schema, path: string, report: Report, depth: number): void {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (!items) return;
    value.slice(0, 2).forEach((item, index) => {
      const up: Report = (what, changed) => report(what, value.with(index, changed));
      for (const [what, changed] of changesOf(item, items)) up(`${path}[${index}]: ${what}`, changed);
      walk(item, items, `${path}[${index}]`, up, depth + 1);
    });
  } else if (isJsonObject(value)) walkObject(value, schema, path, report, depth);
}

function walkObject(value: JsonObject, schema: Schema, path: string, report: Report, depth: number): void {
  report(`${path}: unknown field`, { ...value, fieldOfNobody: 'x' });
  for (const name of schema.required ?? []) {
    const { [name]: gone, ...rest } = value;
    if (gone !== undefined) report(`${path}.${name}: missing`, rest);
  }
  const others = isJsonObject(schema.additionalProperties as JsonValue)
    ? (schema.additionalProperties as Schema)
    : undefined;
  for (const [name, child] of Object.entries(value)) {
    const of = schema.properties?.[name] ?? others;
    if (!of || child === undefined || (depth === 0 && ['metadata', 'apiVersion', 'kind'].includes(name)))
      continue;
    const up: Report = (what, changed) => report(what, { ...value, [name]: changed });
    for (const [what, changed] of changesOf(child, of)) up(`${path}.${name}: ${what}`, changed);
    walk(child, of, `${path}.${name}`, up, depth + 1);
  }
}

function changesOf(value: JsonValue, schema: Schema): Change[] {
  const changes: Change[] = [
    ['wrong type', typeof value === 'string' ? 7 : 'seven'],
    ['null', null],
  ];
  if (isJsonObject(value)) changes.push(['list for object', [value]]);
  if (Array.isArray(value)) {
    changes.push(['object for list', {}]);
    if (value.length > 0) changes.push(['same item twice', [...value, value[0] as JsonValue]]);
    if (schema.maxItems !== undefined && schema.maxItems < 100 && value.length > 0)
      changes.push([
        'too many items',
        Array.from({ length: schema.maxItems + 1 }, () => value[0] as JsonValue),
      ]);
  }
  if (schema.enum) changes.push(['not of the enum', schema.type === 'string' ? 'NoSuchValue' : 987654]);
  if (schema.minimum !== undefined) changes.push(['below the minimum', schema.minimum - 1]);
  if (schema.maximum !== undefined) changes.push(['above the maximum', schema.maximum + 1]);
  if (schema.type === 'integer') changes.push(['a fraction', 1.5]);
  if (schema.type === 'string' && schema.maxLength !== undefined && schema.maxLength < 5000)
    changes.push(['too long', 'x'.repeat(schema.maxLength + 1)]);
  if (typeof value === 'string') changes.push(['empty', ''], ['against the pattern', ' ?! ']);
  return changes;
}
