import type { JsonObject, JsonValue } from '@ashlar/core';
import { RE2JS } from 're2js';
import { formatCheck } from '../formats/string-formats.ts';
import type { ZodReading } from './zod-reading.ts';
import { refusal } from './zod-refusal.ts';
import { checksOfType, type ZodCheckDefinition, type ZodDefinition } from './zod-type.ts';
import { ASYNC_REFINEMENT } from './zod-verdict.ts';

/** Formats that are called otherwise in schemas. */
const FORMATS: Readonly<Record<string, string>> = { guid: 'uuid', url: 'uri', datetime: 'date-time' };

/** Bounds that are counted: characters, items. */
interface Bounds {
  least?: number;
  most?: number;
}

function countBounds(checks: readonly ZodCheckDefinition[]): Bounds {
  const bounds: Bounds = {};
  for (const { check, minimum, maximum, length } of checks) {
    if (check === 'min_length' || check === 'length_equals') {
      bounds.least = Math.max(bounds.least ?? 0, Number(check === 'min_length' ? minimum : length));
    }
    if (check === 'max_length' || check === 'length_equals') {
      const most = Number(check === 'max_length' ? maximum : length);
      bounds.most = Math.min(bounds.most ?? Number.POSITIVE_INFINITY, most);
    }
  }
  return bounds;
}

/** Notes checks that only zod can make. @throws TypeError for a refinement that is async */
function noteCode(
  checks: readonly ZodCheckDefinition[],
  knownChecks: ReadonlySet<string>,
  path: string,
  reading: ZodReading,
): void {
  for (const { check, fn } of checks) {
    if (check === undefined || knownChecks.has(check)) continue;
    if (fn?.constructor.name === 'AsyncFunction') throw refusal(path, ASYNC_REFINEMENT);
    reading.needsZod = true;
    if (check === 'overwrite') reading.changesValues = true;
  }
}

const LENGTHS: ReadonlySet<string> = new Set(['min_length', 'max_length', 'length_equals']);
const OF_TEXTS: ReadonlySet<string> = new Set([...LENGTHS, 'string_format']);
const NUMBERS: ReadonlySet<string> = new Set(['greater_than', 'less_than', 'number_format']);
const NONE: ReadonlySet<string> = new Set();

/** Notes the refinements of a type that has no checks of its own. */
export function noteRefinements(definition: ZodDefinition, path: string, reading: ZodReading): void {
  noteCode(checksOfType(definition), NONE, path, reading);
}

/** A string: its length, its format, its patterns. A schema counts characters, an older zod UTF-16 units: zod is asked beyond one. */
export function readString(definition: ZodDefinition, path: string, reading: ZodReading): JsonObject {
  if (definition.coerce) throw refusal(path, 'z.coerce makes another value of what was sent: use z.string()');
  const checks = checksOfType(definition);
  noteCode(checks, OF_TEXTS, path, reading);
  const { least, most } = countBounds(checks);
  if (checks.some(isTriedByZod)) reading.needsZod = true;
  if (most !== undefined || (least ?? 0) > 1) reading.needsZod = true;
  return {
    type: 'string',
    ...(least !== undefined && { minLength: least }),
    ...(most !== undefined && { maxLength: most }),
    ...readPatterns(checks),
  };
}

/** Whether a format or pattern may mean something else for zod: all but patterns of plain letters, digits and signs. */
const isTriedByZod = ({ check, format, pattern }: ZodCheckDefinition): boolean =>
  check === 'string_format' &&
  !(format === 'regex' && pattern instanceof RegExp && pattern.flags === '' && !UNLIKE.test(pattern.source));

/** Parts of a pattern that take other characters in RE2, or characters that JavaScript counts as two. */
const UNLIKE = /\.|\[\^|\\[sSDWBbpPu]|[^\x20-\x7e]/;

function readPatterns(checks: readonly ZodCheckDefinition[]): JsonObject {
  const formats = checks.filter(({ check }) => check === 'string_format');
  const name = formats.map(formatName).findLast((format) => format !== undefined);
  const isKnown = name !== undefined && formatCheck(name) !== undefined;
  const patterns = formats
    .filter((each) => formatCheck(formatName(each) ?? '') === undefined)
    .map(({ pattern }) => pattern)
    .filter((pattern) => pattern instanceof RegExp)
    .map((pattern): JsonObject => ({ pattern: RE2JS.translateRegExp(pattern) }));
  const unique = [...new Map(patterns.map((part) => [part.pattern, part])).values()];
  const format = name !== undefined && (isKnown || unique.length === 0) ? { format: name } : {};
  return { ...format, ...(unique.length > 1 ? { allOf: unique } : unique[0]) };
}

/** The format of a check, if schemas know one; times and dates in forms of their own have none. */
function formatName({ format, local, precision }: ZodCheckDefinition): string | undefined {
  const own = format === 'regex' || format === 'time' || local === true || precision === -1;
  return own ? undefined : (FORMATS[String(format)] ?? String(format));
}

/** A number: whether it is whole, its bounds, its factors. A schema cuts off fractions of bounds: zod is asked about them. */
export function readNumber(definition: ZodDefinition, path: string, reading: ZodReading): JsonObject {
  if (definition.coerce) throw refusal(path, 'z.coerce makes another value of what was sent: use z.number()');
  const checks = checksOfType(definition);
  noteCode(checks, NUMBERS, path, reading);
  const bounds = new NumberBounds();
  for (const { check, value, inclusive } of checks) {
    if (check === 'greater_than') bounds.above(Number(value), inclusive === true);
    if (check === 'less_than') bounds.below(Number(value), inclusive === true);
  }
  const formats = checks.filter(({ check }) => check === 'number_format').map(({ format }) => String(format));
  for (const format of formats) bounds.ofFormat(format, reading.safeBounds);
  if (bounds.hasFraction) reading.needsZod = true;
  const isWhole = formats.some((format) => format.includes('int'));
  return { type: isWhole ? 'integer' : 'number', ...bounds.keywords, ...readFactors(checks, path) };
}

function readFactors(checks: readonly ZodCheckDefinition[], path: string): JsonObject {
  const factors = checks
    .filter(({ check }) => check === 'multiple_of')
    .map(({ value }) => Math.abs(Number(value)));
  if (factors.some((factor) => !Number.isFinite(factor) || factor === 0)) {
    throw refusal(path, 'a factor must be a number other than 0');
  }
  const [first, ...more] = factors;
  if (first === undefined) return {};
  return { multipleOf: first, ...(more.length > 0 && { allOf: more.map((multipleOf) => ({ multipleOf })) }) };
}

/** The ranges of formats of numbers; a float of 64 bits takes every number of JSON. */
const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  int32: [-2147483648, 2147483647],
  uint32: [0, 4294967295],
  float32: [-3.4028234663852886e38, 3.4028234663852886e38],
};

/** The narrowest of several bounds. */
class NumberBounds {
  #least = Number.NEGATIVE_INFINITY;
  #most = Number.POSITIVE_INFINITY;
  #excludesLeast = false;
  #excludesMost = false;

  above(value: number, inclusive: boolean): void {
    if (value < this.#least || (value === this.#least && this.#excludesLeast)) return;
    this.#least = value;
    this.#excludesLeast = !inclusive;
  }

  below(value: number, inclusive: boolean): void {
    if (value > this.#most || (value === this.#most && this.#excludesMost)) return;
    this.#most = value;
    this.#excludesMost = !inclusive;
  }

  ofFormat(format: string, safe: boolean): void {
    const safeRange = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] as const;
    const range = RANGES[format] ?? (safe && format.includes('int') ? safeRange : undefined);
    if (!range) return;
    this.above(range[0], true);
    this.below(range[1], true);
  }

  get hasFraction(): boolean {
    return [this.#least, this.#most].some((bound) => Number.isFinite(bound) && !Number.isInteger(bound));
  }

  get keywords(): JsonObject {
    const hasLeast = Number.isFinite(this.#least);
    const hasMost = Number.isFinite(this.#most);
    return {
      ...(hasLeast && { minimum: this.#least }),
      ...(hasLeast && this.#excludesLeast && { exclusiveMinimum: true }),
      ...(hasMost && { maximum: this.#most }),
      ...(hasMost && this.#excludesMost && { exclusiveMaximum: true }),
    };
  }
}

/** An array: its length and its items. */
export function readArray(definition: ZodDefinition, path: string, reading: ZodReading): JsonObject {
  const checks = checksOfType(definition);
  noteCode(checks, LENGTHS, path, reading);
  const { least, most } = countBounds(checks);
  return {
    type: 'array',
    items: reading.read(definition.element as never, `${path}[]`),
    ...(least !== undefined && { minItems: least }),
    ...(most !== undefined && { maxItems: most }),
  };
}

/** A literal, or the members of an enumeration. Schemas cut off fractions of numbers: zod is asked about them. */
export function readValues(values: readonly unknown[], path: string, reading: ZodReading): JsonObject {
  if (values.length === 0) throw refusal(path, 'no value is allowed');
  for (const value of values) {
    if (value === undefined || typeof value === 'bigint' || typeof value === 'symbol') {
      throw refusal(path, `${String(value)} has no form in JSON`);
    }
  }
  const types = [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))];
  if (types.length > 1) throw refusal(path, 'values of several types cannot be enumerated');
  if (types[0] === 'number') reading.needsZod = true;
  if (types[0] === 'null') return { type: 'string', nullable: true, enum: [null] };
  return { type: types[0] as string, enum: values as readonly JsonValue[] };
}
