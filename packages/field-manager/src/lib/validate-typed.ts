import type { JsonObject, JsonValue } from '@ashlar/core';
import {
  type FieldType,
  type ListType,
  type MapType,
  memberType,
  type ScalarKind,
  shapeFor,
} from './field-type.ts';
import { ListItemError, listItemElement } from './list-item.ts';
import { type FieldPath, fieldElement, type PathElement, printFieldPath } from './path-element.ts';
import { asList, asMap, members } from './typed-value.ts';

/** How a value is checked. */
export interface TypedValidationOptions {
  /** Whether sets and list maps may hold items twice, as objects may that are stored already. */
  readonly allowDuplicates?: boolean;
}

const MAXIMUM_DEPTH = 1000;

/**
 * Checks that a value can be owned by this type (semantics F4, step 2): every field is known, values have the right shape, items
 * can be told apart. Not what the schema says of ranges and patterns.
 *
 * @returns what is wrong, as `.spec.foo: field not declared in schema`; the walk of a map ends at its first unknown field
 */
export function validateTyped(
  value: JsonValue,
  type: FieldType,
  options: TypedValidationOptions = {},
): readonly string[] {
  const walk: Walk = { errors: [], allowDuplicates: options.allowDuplicates ?? false };
  validate(walk, value, type, undefined);
  return walk.errors;
}

/** Several errors as one text: `errors:` and a line for each. */
export function typedErrorText(errors: readonly string[]): string {
  return errors.length === 1
    ? (errors[0] as string)
    : ['errors:', ...errors.map((error) => `  ${error}`)].join('\n');
}

interface Walk {
  readonly errors: string[];
  readonly allowDuplicates: boolean;
}

/** Where the walk is: most places are never told. */
interface Step {
  readonly above: Step | undefined;
  readonly depth: number;
  readonly part: string | PathElement;
}

function pathOf(step: Step | undefined): FieldPath {
  const path: PathElement[] = [];
  for (let at = step; at; at = at.above)
    path.push(typeof at.part === 'string' ? fieldElement(at.part) : at.part);
  return path.reverse();
}

function report(walk: Walk, step: Step | undefined, message: string): void {
  walk.errors.push(step ? `${printFieldPath(pathOf(step))}: ${message}` : message);
}

function stepTo(above: Step | undefined, part: string | PathElement): Step {
  return { above, depth: (above?.depth ?? 0) + 1, part };
}

function validate(walk: Walk, value: JsonValue, type: FieldType, step: Step | undefined): void {
  if (step && step.depth > MAXIMUM_DEPTH) {
    walk.errors.push(`${printFieldPath(pathOf(step).slice(0, 10))}: exceeded max depth`);
    return;
  }
  const shape = shapeFor(type, value);
  if (value === null) return;
  if (shape.kind === 'scalar') validateScalar(walk, value, shape.scalar, step);
  else if (shape.kind === 'map') validateMap(walk, value, shape.map, step);
  else validateList(walk, value, shape.list, step);
}

function validateScalar(walk: Walk, value: JsonValue, scalar: ScalarKind, step: Step | undefined): void {
  const message = scalarError(value, scalar);
  if (message) report(walk, step, message);
}

function scalarError(value: JsonValue, scalar: ScalarKind): string | undefined {
  const type = typeof value;
  const isNumber = type === 'number' || type === 'bigint';
  switch (scalar) {
    case 'numeric':
      return isNumber ? undefined : `expected numeric (int or float), got ${typeText(value)}`;
    case 'string':
      return type === 'string' ? undefined : `expected string, got ${dump(value)}`;
    case 'boolean':
      return type === 'boolean' ? undefined : `expected boolean, got ${dump(value)}`;
    default:
      return type === 'object' ? `expected any scalar, got ${dump(value)}` : undefined;
  }
}

function validateMap(walk: Walk, value: JsonValue, type: MapType, step: Step | undefined): void {
  const map = asMap(value);
  if (!map) report(walk, step, `expected map, got ${dump(value)}`);
  for (const name in map) {
    const member = map[name];
    if (member === undefined) continue;
    const known = memberType(type, name);
    if (!known) {
      report(walk, stepTo(step, name), 'field not declared in schema');
      return;
    }
    if (!isPlainScalar(member, known)) validate(walk, member, known, stepTo(step, name));
  }
}

/** Most members are: they need no step. */
function isPlainScalar(value: JsonValue, { scalar }: FieldType): boolean {
  return scalar !== undefined && typeof value !== 'object' && scalarError(value, scalar) === undefined;
}

function validateList(walk: Walk, value: JsonValue, type: ListType, step: Step | undefined): void {
  const list = asList(value);
  if (!list) report(walk, step, `expected list, got ${dump(value)}`);
  const seen = new Set<string>();
  for (const [index, item] of (list ?? []).entries()) {
    const element = itemElement(walk, type, item, index, step);
    if (!element) return;
    if (!walk.allowDuplicates && !type.isAtomic) {
      if (seen.has(element.text))
        report(walk, step, `duplicate entries for key ${printFieldPath([element])}`);
      seen.add(element.text);
    }
    validate(walk, item, type.items, stepTo(step, element));
  }
}

/** After an item that cannot be told apart the rest of the list is not looked at. */
function itemElement(
  walk: Walk,
  type: ListType,
  item: JsonValue,
  index: number,
  step: Step | undefined,
): PathElement | undefined {
  if (type.isAtomic) return { kind: 'index', index, text: `i:${index}`, fromText: false };
  try {
    return listItemElement(type, item);
  } catch (error) {
    if (!(error instanceof ListItemError)) throw error;
    report(walk, step, `element ${index}: ${error.message}`);
    return undefined;
  }
}

function typeText(value: JsonValue): string {
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'object') return 'map[string]interface {}';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

const dump = (value: JsonValue): string => `&{${print(value)}}`;

function print(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(print).join(' ')}]`;
  if (typeof value !== 'object') return String(value);
  const entries = members(value as JsonObject).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${entries.map(([name, member]) => `${name}:${print(member)}`).join(' ')}]`;
}
