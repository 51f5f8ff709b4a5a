import {
  type FieldError,
  FieldErrors,
  goSyntax,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  MAXIMUM_FIELD_ERRORS,
  ownMember,
  PrintedValue,
  runAtOnce,
  type Schema,
  type Steps,
} from '@ashlar/core';
import { CompiledSchema } from '../structural/compiled-schema.ts';
import { canonicalText, identityOf } from '../structural/identity.ts';
import { isPausePoint, type LargeValues } from '../structural/large-values.ts';
import { printed } from './value-errors.ts';

/** Finds duplicates in the lists of a value. */
export interface UniquenessCheck {
  compileSteps(): Steps<void>;
  errors(value: JsonValue): readonly FieldError[];
  /** The same of a value with known large parts, with pauses. */
  errorsSteps(value: JsonValue, large: LargeValues): Steps<readonly FieldError[]>;
}

interface NodeCheck {
  check(value: JsonValue, path: string, errors: FieldError[]): void;
  /** The same for a large value. */
  checkSteps(value: JsonValue, path: string, errors: FieldError[], large: LargeValues): Steps<void>;
}

/**
 * Compiles the uniqueness of lists of the types `set` and `map` (semantics/schemas#validation-texts): each
 * duplicate is one error, at its second occurrence, at most a hundred. Schemas without such lists cost
 * nothing.
 */
export function compileUniqueness(schema: Schema): UniquenessCheck {
  const compiled = new CompiledSchema(schema, compileNode);
  return {
    compileSteps: () => compiled.compileSteps(),
    errors(value) {
      const errors: FieldError[] = [];
      compiled.whole?.check(value, '', errors);
      return errors;
    },
    *errorsSteps(value, large) {
      const errors: FieldError[] = [];
      yield* compiled.compileSteps();
      const node = compiled.whole;
      if (node) yield* part(node, value, '', errors, large);
      return errors;
    },
  };
}

function* part(
  node: NodeCheck,
  value: JsonValue,
  path: string,
  errors: FieldError[],
  large: LargeValues,
): Steps<void> {
  if (large.has(value)) yield* node.checkSteps(value, path, errors, large);
  else node.check(value, path, errors);
}

type CompileNode = (part: Schema) => NodeCheck | undefined;

function compileNode(schema: Schema, compile: CompileNode): NodeCheck | undefined {
  const list = listCheck(schema, compile);
  const members = memberCheck(schema, compile);
  if (!list && !members) return undefined;
  const checkOf = (value: JsonValue): NodeCheck | undefined =>
    Array.isArray(value) ? list : isJsonObject(value) ? members : undefined;
  return {
    check: (value, path, errors) => checkOf(value)?.check(value, path, errors),
    *checkSteps(value, path, errors, large) {
      yield* checkOf(value)?.checkSteps(value, path, errors, large) ?? [];
    },
  };
}

function memberCheck(
  { properties = {}, additionalProperties }: Schema,
  compile: CompileNode,
): NodeCheck | undefined {
  const nodes = new Map<string, NodeCheck>();
  for (const [name, part] of Object.entries(properties)) {
    const node = compile(part);
    if (node) nodes.set(name, node);
  }
  const other = typeof additionalProperties === 'object' ? compile(additionalProperties) : undefined;
  if (nodes.size === 0 && !other) return undefined;
  return {
    check(value, path, errors) {
      const object = value as JsonObject;
      for (const [key, node] of nodes) {
        const member = ownMember(object, key);
        if (member !== undefined) node.check(member, memberPath(path, key), errors);
      }
      if (!other) return;
      for (const key in object) {
        const member = object[key];
        if (member !== undefined) other.check(member, `${path}[${key}]`, errors);
      }
    },
    *checkSteps(value, path, errors, large) {
      const object = value as JsonObject;
      for (const [key, node] of nodes) {
        const member = ownMember(object, key);
        if (member !== undefined) yield* part(node, member, memberPath(path, key), errors, large);
      }
      if (!other) return;
      for (const [index, key] of Object.keys(object).entries()) {
        const member = object[key];
        if (member !== undefined) yield* part(other, member, `${path}[${key}]`, errors, large);
        if (isPausePoint(member, index)) yield;
      }
    },
  };
}

const memberPath = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

function listCheck(schema: Schema, compile: CompileNode): NodeCheck | undefined {
  const inside = schema.items && compile(schema.items);
  const own = ownCheck(schema);
  if (!inside && !own) return undefined;
  return {
    check(value, path, errors) {
      const list = value as readonly JsonValue[];
      if (own && !own.isShortAndDistinct(list)) runAtOnce(own.check(list, path, errors));
      if (!inside) return;
      for (let i = 0; i < list.length; i++) inside.check(list[i] as JsonValue, `${path}[${i}]`, errors);
    },
    *checkSteps(value, path, errors, large) {
      const list = value as readonly JsonValue[];
      if (own) yield* own.check(list, path, errors);
      if (!inside) return;
      for (let i = 0; i < list.length; i++) {
        yield* part(inside, list[i] as JsonValue, `${path}[${i}]`, errors, large);
        if (isPausePoint(list[i], i)) yield;
      }
    },
  };
}

/** The uniqueness of a list itself. */
interface OwnCheck {
  /** Whether a quick check shows that there are no errors. */
  isShortAndDistinct(list: readonly JsonValue[]): boolean;
  check(list: readonly JsonValue[], path: string, errors: FieldError[]): Steps<void>;
}

function ownCheck({ listType, listMapKeys = [] }: Schema): OwnCheck | undefined {
  if (listType === 'set') {
    return { isShortAndDistinct: (list) => isShortAndDistinct(list, undefined), check: setErrors };
  }
  if (listType !== 'map') return undefined;
  const [key] = listMapKeys;
  return {
    isShortAndDistinct: (list) => listMapKeys.length === 1 && isShortAndDistinct(list, key),
    check: (list, path, errors) => mapErrors(list, listMapKeys, path, errors),
  };
}

function* setErrors(list: readonly JsonValue[], path: string, errors: FieldError[]): Steps<void> {
  yield* findRepeated(list, identityOf, (index) => {
    const value = printedComposite(list[index] as JsonValue);
    errors.push(FieldErrors.duplicate(`${path}[${index}]`, printed(value)));
    return errors.length < MAXIMUM_FIELD_ERRORS;
  });
}

function* mapErrors(
  list: readonly JsonValue[],
  keys: readonly string[],
  path: string,
  errors: FieldError[],
): Steps<void> {
  const wrong = list.findIndex((item) => item !== null && !isJsonObject(item));
  if (wrong >= 0) {
    const text = 'must be an object for an array of list-type map';
    errors.push(FieldErrors.invalid(`${path}[${wrong}]`, printed(list[wrong]), text));
    return;
  }
  const identify = (item: JsonValue): JsonValue => keyIdentity(item as JsonObject | null, keys);
  yield* findRepeated(list, identify, (index) => {
    const identity = printedComposite(keysOf(list[index] as JsonObject | null, keys));
    errors.push(FieldErrors.duplicate(`${path}[${index}]`, identity));
    return errors.length < MAXIMUM_FIELD_ERRORS;
  });
}

/** Lists up to this length are compared pair by pair. */
const SHORT = 16;

/**
 * Whether strings, or the strings of items under a key, are few and all different; false if a quick check
 * does not show it.
 */
function isShortAndDistinct(list: readonly JsonValue[], key: string | undefined): boolean {
  if (list.length > SHORT) return false;
  for (let i = 0; i < list.length; i++) {
    const text = textAt(list, i, key);
    if (text === undefined) return false;
    for (let j = 0; j < i; j++) if (textAt(list, j, key) === text) return false;
  }
  return true;
}

function textAt(list: readonly JsonValue[], index: number, key: string | undefined): string | undefined {
  const item = list[index] as JsonValue;
  const text = key === undefined ? item : isJsonObject(item) ? ownMember(item, key) : undefined;
  return typeof text === 'string' ? text : undefined;
}

const member = (item: JsonObject | null, key: string): JsonValue | undefined =>
  item ? ownMember(item, key) : undefined;

/** A text that two items share if their keys are equal. */
function keyIdentity(item: JsonObject | null, keys: readonly string[]): string {
  const only = keys.length === 1 ? member(item, keys[0] as string) : undefined;
  // no other value begins with a quote
  if (typeof only === 'string') return `"${only}`;
  let identity = '';
  for (const key of keys) {
    const value = member(item, key);
    if (value !== undefined)
      identity += typeof value === 'string' ? JSON.stringify(value) : canonicalText(value);
    identity += ',';
  }
  return identity;
}

/** Absent keys are absent here too: two items without the same keys are equal. */
function keysOf(item: JsonObject | null, keys: readonly string[]): JsonObject {
  const own: Record<string, JsonValue> = {};
  for (const key of keys) {
    const value = member(item, key);
    if (value !== undefined) own[key] = value;
  }
  return own;
}

/** Reports the second occurrence of each repeated item, until `report` returns false. */
function* findRepeated(
  list: readonly JsonValue[],
  identify: (item: JsonValue) => JsonValue,
  report: (index: number) => boolean,
): Steps<void> {
  const seen = new Map<JsonValue, boolean>();
  for (let index = 0; index < list.length; index++) {
    const item = list[index] as JsonValue;
    const identity = identify(item);
    const isRepeated = seen.get(identity);
    if (isRepeated === undefined) seen.set(identity, false);
    else if (!isRepeated) {
      seen.set(identity, true);
      if (!report(index)) return;
    }
    if (isPausePoint(item, index)) yield;
  }
}

/** Returns a list or object in Go syntax, as errors show it; scalars are quoted by the error itself. */
function printedComposite(value: JsonValue): PrintedValue | JsonValue {
  return typeof value === 'object' && value !== null ? new PrintedValue(goSyntax(value)) : value;
}
