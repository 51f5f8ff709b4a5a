import {
  doneSteps,
  goSyntax,
  goTypeName,
  goValue,
  type JsonObject,
  type JsonValue,
  MAXIMUM_FIELD_ERRORS,
  type Steps,
} from '@ashlar/core';
import {
  type FieldPath,
  fieldElement,
  indexElement,
  type PathElement,
  printFieldPath,
} from '../fieldpath/path-element.ts';
import { ItemShapes } from '../values/item-shapes.ts';
import { effortFor, isDue, isLarge, namesOf } from '../values/large-parts.ts';
import {
  type FieldType,
  type ListType,
  type MapType,
  memberType,
  type ScalarKind,
  shapeFor,
} from './field-type.ts';
import { ListElements, ListItemError, listItemElement } from './list-item.ts';
import { asList, asMap } from './typed-value.ts';

/** Options of the check. */
export interface TypedValidationOptions {
  /** Whether sets and list maps may contain duplicate items, as stored objects may. */
  readonly allowDuplicates?: boolean;
  /** Maximum total number of items of all sets and list maps. Default: unlimited. */
  readonly maximumItems?: number | undefined;
}

/** Too many items in sets and list maps. */
export class TooManyItemsError extends Error {
  override readonly name = 'TooManyItemsError';

  constructor(maximum: number) {
    super(`sets and lists by key have more than ${maximum} items`);
  }
}

const MAXIMUM_DEPTH = 1000;

/**
 * Checks that a value can be owned by this type (semantics/apply#apply-algorithm, step 2): all fields are
 * declared, values have the right shape, items can be identified. Ranges and patterns of the schema are not
 * checked.
 *
 * @returns errors such as `.spec.foo: field not declared in schema`; a map is checked up to its first unknown
 * field
 * @throws TooManyItemsError as soon as there are too many items
 */
export function validateTyped(
  value: JsonValue,
  type: FieldType,
  options: TypedValidationOptions = {},
): readonly string[] {
  const walk = walkWith(options);
  validate(walk, value, type, undefined);
  return walk.errors;
}

/** {@link validateTyped} that pauses where the value is large. */
export function validateTypedSteps(
  value: JsonValue,
  type: FieldType,
  options: TypedValidationOptions = {},
): Steps<readonly string[]> {
  return isLarge(value)
    ? validateLarge(value, type, options)
    : doneSteps(validateTyped(value, type, options));
}

function* validateLarge(
  value: JsonValue,
  type: FieldType,
  options: TypedValidationOptions,
): Steps<readonly string[]> {
  const walk = walkWith(options);
  yield* validateSteps(walk, value, type, undefined);
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
  readonly maximumItems: number;
  /** Number of items of sets and list maps so far. */
  items: number;
}

function walkWith({
  allowDuplicates = false,
  maximumItems = Number.POSITIVE_INFINITY,
}: TypedValidationOptions): Walk {
  return { errors: [], allowDuplicates, maximumItems, items: 0 };
}

/** The current path, built on demand: most paths are never printed. */
interface Step {
  readonly above: Step | undefined;
  readonly depth: number;
  readonly part: Part;
}

/** The name of a member, the index of an item without an element, or its element. */
type Part = string | number | PathElement;

function elementFor(part: Part): PathElement {
  if (typeof part === 'string') return fieldElement(part);
  return typeof part === 'number' ? indexElement(part) : part;
}

function pathOf(step: Step | undefined): FieldPath {
  const path: PathElement[] = [];
  for (let at = step; at; at = at.above) path.push(elementFor(at.part));
  return path.reverse();
}

/** Maximum number of errors. */
function report(walk: Walk, step: Step | undefined, message: string): void {
  if (walk.errors.length >= MAXIMUM_FIELD_ERRORS) return;
  walk.errors.push(step ? `${printFieldPath(pathOf(step))}: ${message}` : message);
}

function stepTo(above: Step | undefined, part: Part): Step {
  return { above, depth: (above?.depth ?? 0) + 1, part };
}

function validate(walk: Walk, value: JsonValue, type: FieldType, step: Step | undefined): void {
  if (isTooDeep(walk, step)) return;
  const shape = shapeFor(type, value);
  if (value === null) return;
  if (shape.kind === 'scalar') validateScalar(walk, value, shape.scalar, step);
  else if (shape.kind === 'map') validateMap(walk, value, shape.map, step);
  else validateList(walk, value, shape.list, step);
}

function isTooDeep(walk: Walk, step: Step | undefined): boolean {
  if (!step || step.depth <= MAXIMUM_DEPTH) return false;
  walk.errors.push(`${printFieldPath(pathOf(step).slice(0, 10))}: exceeded max depth`);
  return true;
}

function* validateSteps(walk: Walk, value: JsonValue, type: FieldType, step: Step | undefined): Steps<void> {
  if (!isLarge(value)) return validate(walk, value, type, step);
  if (isTooDeep(walk, step)) return;
  const shape = shapeFor(type, value);
  const map = asMap(value);
  const list = asList(value);
  if (shape.kind === 'map' && map) yield* validateMapSteps(walk, map, shape.map, step);
  else if (shape.kind === 'list' && list) yield* validateListSteps(walk, list, shape.list, step);
  else validate(walk, value, type, step);
}

function* validateMapSteps(walk: Walk, map: JsonObject, type: MapType, step: Step | undefined): Steps<void> {
  for (const name of namesOf(map)) {
    const member = map[name];
    if (member === undefined) continue;
    if (isDue(effortFor(member))) yield;
    const typeOfMember = memberType(type, name);
    if (!typeOfMember) return report(walk, stepTo(step, name), NOT_DECLARED);
    if (isLarge(member)) yield* validateSteps(walk, member, typeOfMember, stepTo(step, name));
    else if (!isPlainScalar(member, typeOfMember)) validate(walk, member, typeOfMember, stepTo(step, name));
  }
}

function* validateListSteps(
  walk: Walk,
  list: readonly JsonValue[],
  type: ListType,
  step: Step | undefined,
): Steps<void> {
  const elements = type.isAtomic ? undefined : ListElements.of(type, list);
  const items = new Items(walk, type, step, list.length, elements);
  // whether an item is valid depends on its shape alone
  const valid = new ItemShapes<true>();
  for (const [index, item] of list.entries()) {
    if (isDue(effortFor(item))) yield;
    const part = items.partOf(item, index);
    if (part === undefined) return;
    if (isPlainScalar(item, type.items) || valid.get(item)) continue;
    const errorsBefore = walk.errors.length;
    yield* validateSteps(walk, item, type.items, stepTo(step, part));
    if (walk.errors.length === errorsBefore) valid.keep(item, true);
  }
}

const NOT_DECLARED = 'field not declared in schema';

function validateScalar(walk: Walk, value: JsonValue, scalar: ScalarKind, step: Step | undefined): void {
  const message = scalarError(value, scalar);
  if (message) report(walk, step, message);
}

function scalarError(value: JsonValue, scalar: ScalarKind): string | undefined {
  const type = typeof value;
  const isNumber = type === 'number' || type === 'bigint';
  switch (scalar) {
    case 'numeric':
      return isNumber ? undefined : `expected numeric (int or float), got ${goTypeName(value)}`;
    case 'string':
      return type === 'string'
        ? undefined
        : `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`;
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
    const typeOfMember = memberType(type, name);
    if (!typeOfMember) {
      report(walk, stepTo(step, name), NOT_DECLARED);
      return;
    }
    if (!isPlainScalar(member, typeOfMember)) validate(walk, member, typeOfMember, stepTo(step, name));
  }
}

/** Fast path for most members, which need no step. */
function isPlainScalar(value: JsonValue, { scalar }: FieldType): boolean {
  return scalar !== undefined && typeof value !== 'object' && scalarError(value, scalar) === undefined;
}

function validateList(walk: Walk, value: JsonValue, type: ListType, step: Step | undefined): void {
  const list = asList(value);
  if (!list) report(walk, step, `expected list, got ${dump(value)}`);
  const items = new Items(walk, type, step, list?.length ?? 0);
  for (const [index, item] of (list ?? []).entries()) {
    const part = items.partOf(item, index);
    if (part === undefined) return;
    if (!isPlainScalar(item, type.items)) validate(walk, item, type.items, stepTo(step, part));
  }
}

/** The items of a list, checked one by one. */
class Items {
  readonly #walk: Walk;
  readonly #type: ListType;
  readonly #step: Step | undefined;
  readonly #seen: Set<string> = new Set();
  readonly #elements: ListElements | undefined;

  /** @throws TooManyItemsError */
  constructor(walk: Walk, type: ListType, step: Step | undefined, count: number, elements?: ListElements) {
    this.#walk = walk;
    this.#elements = elements;
    this.#type = type;
    this.#step = step;
    if (type.isAtomic) return;
    walk.items += count;
    if (walk.items > walk.maximumItems) throw new TooManyItemsError(walk.maximumItems);
  }

  /** Undefined for an item that cannot be identified: the rest of the list is not checked. */
  partOf(item: JsonValue, index: number): Part | undefined {
    if (this.#type.isAtomic) return index;
    const element = this.#read(item, index);
    if (!element || this.#walk.allowDuplicates) return element;
    if (this.#seen.has(element.text))
      report(this.#walk, this.#step, `duplicate entries for key ${printFieldPath([element])}`);
    this.#seen.add(element.text);
    return element;
  }

  #read(item: JsonValue, index: number): PathElement | undefined {
    try {
      return this.#elements ? this.#elements.at(index) : listItemElement(this.#type, item);
    } catch (error) {
      if (!(error instanceof ListItemError)) throw error;
      report(this.#walk, this.#step, `element ${index}: ${error.message}`);
      return undefined;
    }
  }
}

const dump = (value: JsonValue): string => `&{${goValue(value)}}`;
