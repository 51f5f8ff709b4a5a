import type { JsonObject, JsonValue } from '@ashlar/core';
import type { ZodReading } from './zod-reading.ts';
import { refusal } from './zod-refusal.ts';
import type { ZodDefinition, ZodSchema } from './zod-type.ts';
import { validateWithZod } from './zod-verdict.ts';

/** A text of a time, or milliseconds since 1970 between the years 2001 and 2286, anywhere in JSON. */
const TIME = /"\d{4}-\d\d-\d\dT\d\d:|(?<![\d.eE+-])[1-9]\d{12}(?![\d.])/;

/**
 * The type inside with its default, which a schema can only hold where it is always the same. zod hides whether it is computed: it is
 * asked twice, and what looks like a time is never taken for a constant. Such defaults are computed by zod for each object.
 *
 * @throws TypeError for a default that is not of its type, or has no form in JSON
 */
export function readDefault(definition: ZodDefinition, path: string, reading: ZodReading): JsonObject {
  const inner = definition.innerType as ZodSchema;
  const schema = reading.read(inner, path);
  const first = definition.defaultValue;
  if (first === undefined || first === null) return schema;
  const text = jsonText(first, path);
  const verdict = validateWithZod(inner, first);
  if (verdict.issues) {
    throw refusal(path, `its default ${text} is not of its type: ${verdict.issues[0]?.message}`);
  }
  const isConstant = !TIME.test(text) && text === jsonText(definition.defaultValue, path);
  if (isConstant) return { ...schema, default: JSON.parse(text) as JsonValue };
  reading.needsZod = true;
  reading.changesValues = true;
  return schema;
}

function jsonText(value: unknown, path: string): string {
  const text = JSON.stringify(value);
  if (text === undefined) throw refusal(path, `its default, a ${typeof value}, has no form in JSON`);
  return text;
}
