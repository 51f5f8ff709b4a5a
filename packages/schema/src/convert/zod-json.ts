import { type JsonObject, setMember } from '@ashlar/core';
import { RE2JS } from 're2js';
import { globalRegistry } from 'zod/v4/core';
import { noteRefinements, readArray, readNumber, readString, readValues } from './zod-checks.ts';
import { readDefault } from './zod-default.ts';
import type { ZodReading } from './zod-reading.ts';
import { REFUSED_TYPES, refusal } from './zod-refusal.ts';
import { mayBeAbsent, type ZodDefinition, type ZodSchema, zodDefinition } from './zod-type.ts';

/** Reads one kind of type as a JSON schema of OpenAPI 3.0. */
type ReadType = (definition: ZodDefinition, path: string, reading: ZodReading, type: ZodSchema) => JsonObject;

const inner: ReadType = (definition, path, reading) => reading.read(definition.innerType as ZodSchema, path);

const READERS: Readonly<Record<string, ReadType>> = {
  string: readString,
  number: readNumber,
  int: readNumber,
  boolean: ({ coerce }, path) => {
    if (coerce) throw refusal(path, 'z.coerce makes another value of what was sent: use z.boolean()');
    return { type: 'boolean' };
  },
  null: () => ({ type: 'string', nullable: true, enum: [null] }),
  unknown: () => ({}),
  any: () => ({}),
  literal: ({ values }, path, reading) => readValues(values as readonly unknown[], path, reading),
  enum: ({ entries }, path, reading) => readValues(enumValues(entries as object), path, reading),
  array: readArray,
  object: readObject,
  record: readRecord,
  union: readUnion,
  intersection: readIntersection,
  template_literal: readTemplate,
  pipe: readPipe,
  optional: inner,
  nonoptional: inner,
  readonly: inner,
  nullable: (definition, path, reading, type) => ({
    ...inner(definition, path, reading, type),
    nullable: true,
  }),
  default: readDefault,
  prefault: readDefault,
  lazy: ({ getter }, path, reading) => reading.read((getter as () => ZodSchema)(), path),
};

/**
 * Reads a type of zod as a JSON schema of OpenAPI 3.0, and notes in `reading` what no schema can say.
 * @throws TypeError that names the path, for what has no counterpart
 */
export function readZodType(type: ZodSchema, path: string, reading: ZodReading): JsonObject {
  const definition = zodDefinition(type, path);
  const read = READERS[definition.type];
  if (!read) throw refusal(path, REFUSED_TYPES[definition.type] ?? `${definition.type} cannot be expressed`);
  if (reading.around.has(type))
    throw refusal(path, 'a type must not contain itself: use z.unknown() at some depth');
  reading.around.add(type);
  const json = read(definition, path, reading, type);
  reading.around.delete(type);
  if (!OWN_CHECKS.has(definition.type)) noteRefinements(definition, path, reading);
  const { id: _, ...metadata } = (globalRegistry.get(type as never) ?? {}) as JsonObject;
  return { ...json, ...metadata };
}

/** Types whose readers know some of their checks. */
const OWN_CHECKS: ReadonlySet<string> = new Set(['string', 'number', 'int', 'array']);

/** Enumerations of TypeScript lead from numbers back to names. */
function enumValues(entries: object): readonly unknown[] {
  const numbers = Object.values(entries).filter((value) => typeof value === 'number');
  return Object.entries(entries)
    .filter(([key]) => !numbers.includes(Number(key)))
    .map(([, value]) => value as unknown);
}

function readObject(definition: ZodDefinition, path: string, reading: ZodReading): JsonObject {
  const shape = definition.shape as Readonly<Record<string, ZodSchema>>;
  const properties: Record<string, JsonObject> = {};
  for (const [name, member] of Object.entries(shape)) {
    setMember(properties, name, reading.read(member, path === '' ? name : `${path}.${name}`));
  }
  const required = Object.keys(shape).filter((name) => !mayBeAbsent(shape[name] as ZodSchema));
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    ...readCatchall(definition.catchall as ZodSchema | undefined, path, reading),
  };
}

function readCatchall(catchall: ZodSchema | undefined, path: string, reading: ZodReading): JsonObject {
  if (!catchall) return {};
  if (zodDefinition(catchall, path).type === 'never') {
    throw refusal(path, STRICT);
  }
  return { additionalProperties: reading.read(catchall, `${path}{}`) };
}

const STRICT =
  'a strict object refuses unknown fields, which a server removes, or refuses where the request says fieldValidation=Strict as kubectl does: use z.object';

/** Keys are checked by zod; an enumeration of keys asks for each of them, too. */
function readRecord(definition: ZodDefinition, path: string, reading: ZodReading): JsonObject {
  const key = zodDefinition(definition.keyType, `${path}{}`);
  if (key.type === 'number' || key.type === 'int')
    throw refusal(path, 'keys are strings in JSON: use z.record(z.string(), …)');
  if (key.type !== 'string' || key.check !== undefined || (key.checks ?? []).length > 0)
    reading.needsZod = true;
  if (hasOverwrites(key)) throw refusal(path, 'keys cannot be changed: check them with .regex or .refine');
  return {
    type: 'object',
    additionalProperties: reading.read(definition.valueType as ZodSchema, `${path}{}`),
  };
}

const hasOverwrites = ({ checks = [], type }: ZodDefinition): boolean =>
  type === 'pipe' || checks.some((check) => check._zod.def.check === 'overwrite');

function readUnion(definition: ZodDefinition, path: string, reading: ZodReading): JsonObject {
  const options = (definition.options as readonly ZodSchema[]).map((option) => reading.read(option, path));
  // which alternative a value is of is zod's to say wherever it makes a difference
  reading.needsZod = true;
  const isExclusive = definition.discriminator !== undefined || definition.inclusive === false;
  return { [isExclusive ? 'oneOf' : 'anyOf']: options };
}

/** Two objects without a common member are one object with the members of both. */
function readIntersection(definition: ZodDefinition, path: string, reading: ZodReading): JsonObject {
  const parts = [definition.left, definition.right].map((part) => reading.read(part as ZodSchema, path));
  const names = parts.flatMap((part) => Object.keys((part.properties ?? {}) as JsonObject));
  const areObjects = parts.every(
    (part) => part.properties !== undefined && part.additionalProperties === undefined,
  );
  if (!areObjects || new Set(names).size < names.length) {
    throw refusal(path, 'only objects without a common member can be intersected: use .extend');
  }
  reading.needsZod = true;
  const required = parts.flatMap((part) => (part.required ?? []) as readonly string[]);
  return {
    type: 'object',
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)) as JsonObject,
    ...(required.length > 0 && { required }),
  };
}

function readTemplate(_: ZodDefinition, path: string, reading: ZodReading, type: ZodSchema): JsonObject {
  const { pattern } = type._zod as { readonly pattern?: RegExp };
  if (!pattern) throw refusal(path, 'a template without a pattern cannot be expressed');
  reading.needsZod = true;
  return { type: 'string', pattern: RE2JS.translateRegExp(pattern) };
}

/** A pipe between types of the same values only checks twice. */
function readPipe(definition: ZodDefinition, path: string, reading: ZodReading): JsonObject {
  const parts = [definition.in, definition.out] as readonly ZodSchema[];
  const types = parts.map((part) => zodDefinition(part, path).type);
  if (types.includes('transform') || definition.transform !== undefined) {
    throw refusal(path, REFUSED_TYPES.transform as string);
  }
  if (types[0] !== types[1]) {
    throw refusal(
      path,
      `a pipe from ${types[0]} to ${types[1]} makes another value of what was sent: use one type`,
    );
  }
  reading.needsZod = true;
  const [input, output] = parts.map((part) => reading.read(part, path));
  return { ...output, ...input };
}
