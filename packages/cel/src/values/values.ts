import type { JsonObject } from '@ashlar/core';
import { type CelType, types } from '../check/types.ts';

/**
 * A value of an expression. JSON is used as is, never copied:
 *
 * - null, booleans, strings, arrays (lists) and plain objects (maps with string keys) are themselves;
 * - an **int** is a `number` that is a safe integer, else a `bigint`;
 * - a **double** is any other `number`, and a {@link Double} if it is an integer, so that `1` and `1.0`
 * differ;
 * - bytes are a `Uint8Array`;
 * - everything else is {@link Boxed}.
 */
export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | readonly Value[]
  | JsonObject
  | Boxed;

/** Base class of all values beyond JSON. */
export abstract class Boxed {
  abstract readonly type: CelType;
}

/** A double with an integer value in the range of safe integers; every other double is a plain `number`. */
export class Double extends Boxed {
  readonly value: number;
  constructor(value: number) {
    super();
    this.value = value;
  }
  get type(): CelType {
    return types.double;
  }
}

/** A double from a number. */
export function toDouble(value: number): number | Double {
  return Number.isSafeInteger(value) ? new Double(value) : value;
}

/** An unsigned 64-bit integer. */
export class Uint extends Boxed {
  readonly value: bigint;
  constructor(value: bigint) {
    super();
    this.value = value;
  }
  get type(): CelType {
    return types.uint;
  }
}

/** A timestamp, with nanoseconds. */
export class Timestamp extends Boxed {
  /** Seconds since 1970-01-01T00:00:00Z, rounded down. */
  readonly seconds: number;
  /** 0 to 999,999,999. */
  readonly nanos: number;
  /** Offset of its original zone from UTC in seconds; only its text shows it. */
  readonly offset: number;
  constructor(seconds: number, nanos: number, offset: number = 0) {
    super();
    this.seconds = seconds;
    this.nanos = nanos;
    this.offset = offset;
  }
  get type(): CelType {
    return types.timestamp;
  }
}

/** A duration, with nanoseconds. */
export class Duration extends Boxed {
  /** Seconds, rounded to zero. */
  readonly seconds: number;
  /** -999,999,999 to 999,999,999, of the sign of the seconds. */
  readonly nanos: number;
  constructor(seconds: number, nanos: number) {
    super();
    this.seconds = seconds;
    this.nanos = nanos;
  }
  get type(): CelType {
    return types.duration;
  }
}

/** A type as a value, the result of `type(x)`. */
export class TypeValue extends Boxed {
  readonly of: CelType;
  constructor(of: CelType) {
    super();
    this.of = of;
  }
  get type(): CelType {
    return types.type;
  }
}

/** An optional value. */
export class Optional extends Boxed {
  /** Undefined when absent. */
  readonly value: Value | undefined;
  constructor(value: Value | undefined) {
    super();
    this.value = value;
  }
  get type(): CelType {
    return types.optional(types.dyn);
  }
}

/** The absent optional. */
export const NONE: Optional = new Optional(undefined);

/** Result of a failed evaluation: an error propagates like a value until a logic operator absorbs it. */
export class EvaluationError extends Boxed {
  readonly message: string;
  /** Position in the expression in UTF-16 code units, added by the innermost call or access. */
  position: number | undefined;
  constructor(message: string, position?: number) {
    super();
    this.message = message;
    this.position = position;
  }
  get type(): CelType {
    return types.error;
  }
}

/**
 * Whether a value is an error. Checks the class of objects only: most values are not, and this is on every
 * path.
 */
export function isError(value: unknown): value is EvaluationError {
  return typeof value === 'object' && value instanceof Boxed && value instanceof EvaluationError;
}

/** The value; an error without a position gets that of the expression. */
export function located(value: Value, position: number): Value {
  if (isError(value)) value.position ??= position;
  return value;
}

/** The error of operands that no overload accepts. */
export function noSuchOverload(): EvaluationError {
  return new EvaluationError('no such overload');
}

/** A value of a type that the host or a library defines. */
export abstract class Opaque extends Boxed {
  /** Whether it equals another value of the same type. */
  abstract equals(other: Opaque): boolean;
  /** Size as `size()` and costs count it; undefined if there is none. */
  get size(): number | undefined {
    return undefined;
  }
}

/** A list that is not an array: elements are computed on demand. */
export abstract class ListValue extends Boxed {
  abstract readonly items: readonly Value[];
  get type(): CelType {
    return types.list();
  }
  /** Whether it equals another list by its own rules, or undefined to compare element by element. */
  equals(_other: readonly Value[]): boolean | undefined {
    return undefined;
  }
  /** Concatenation by its own rules, or undefined to append. */
  concat(_other: readonly Value[]): Value | undefined {
    return undefined;
  }
}

/** An object with declared fields. */
export abstract class ObjectValue extends Boxed {
  /** A field, undefined if it is unset. */
  abstract get(field: string): Value | undefined;
  /** Names of the fields that are set. */
  abstract fields(): Iterable<string>;
  /** Number of fields that are set. */
  get size(): number {
    return [...this.fields()].length;
  }
  /** Whether it equals another object of its type by its own rules, or undefined to compare field by field. */
  equals(_other: ObjectValue): boolean | undefined {
    return undefined;
  }
}

/** The elements of a list, or undefined for other values. */
export function listItems(value: Value): readonly Value[] | undefined {
  if (Array.isArray(value)) return value;
  return value instanceof ListValue ? value.items : undefined;
}

/** Whether the value is a plain JSON object. */
export function isPlainObject(value: Value): value is JsonObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !(value instanceof Boxed) &&
    !Array.isArray(value) &&
    !(value instanceof Uint8Array)
  );
}

/** The type of a value, without parameters of lists and maps. */
export function typeOfValue(value: Value): CelType {
  switch (typeof value) {
    case 'boolean':
      return types.bool;
    case 'string':
      return types.string;
    case 'bigint':
      return types.int;
    case 'number':
      return Number.isSafeInteger(value) ? types.int : types.double;
  }
  if (value === null) return types.null;
  if (value instanceof Boxed) return value.type;
  if (Array.isArray(value)) return types.list();
  return value instanceof Uint8Array ? types.bytes : types.map();
}
