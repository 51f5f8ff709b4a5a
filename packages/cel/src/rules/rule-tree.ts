import {
  isJsonObject,
  itemsByKeys,
  type JsonObject,
  type JsonValue,
  runAtOnce,
  type Schema,
  type Steps,
} from '@ashlar/core';
import { type SchemaType, schemaType } from '../check/schema-type.ts';
import type { Environment } from '../environment/environment.ts';
import { escapeProperty } from '../syntax/property-names.ts';
import { type CompiledRule, compileRule } from './rule.ts';
import { evaluateRulesSteps, type RuleBudget, type RuleFailure, type RuleInput } from './rule-evaluation.ts';

/** Name of the type of `self`, which expressions cannot spell. */
const SELF_TYPE = '@self';

/** One step of the path from the root of an object. */
export type PathStep = { readonly property: string } | { readonly key: string } | { readonly index: number };

/** A failed rule and its path. */
export interface PlacedFailure extends RuleFailure {
  readonly path: readonly PathStep[];
  /** The value that it was run on. */
  readonly value: JsonValue;
  /** The schema of that path. */
  readonly schema: Schema;
}

/** The compiled rules of a schema, by path. */
export interface RuleTree {
  readonly schema: Schema;
  readonly isResourceRoot: boolean;
  readonly rules: readonly CompiledRule[];
  readonly properties: ReadonlyMap<string, RuleTree>;
  readonly additional: RuleTree | undefined;
  readonly items: RuleTree | undefined;
  /** Rules in parts of `allOf`, over the same paths. */
  readonly parts: readonly RuleTree[];
}

/**
 * Compiles all rules of a schema, including those in `allOf` (rules in `anyOf`, `oneOf` and `not` are not
 * run); undefined if there are none.
 */
export function compileRuleTree(
  schema: Schema,
  isResourceRoot: boolean,
  environment: Environment,
): RuleTree | undefined {
  const type = schemaType(schema, { name: SELF_TYPE, isResourceRoot });
  return compileNode({ rules: schema, place: schema, isResourceRoot, type, environment });
}

interface NodeInput {
  /** Path of the rules. */
  readonly rules: Schema;
  /** The schema of the path, which the rules are typed by. */
  readonly place: Schema;
  readonly isResourceRoot: boolean;
  readonly type: SchemaType | undefined;
  readonly environment: Environment;
}

function compileNode(input: NodeInput): RuleTree | undefined {
  const { rules, place, isResourceRoot, type, environment } = input;
  const scope = type && { environment, type, isResourceRoot };
  const compiled = scope ? (rules.validations ?? []).map((rule) => compileRule(rule, scope)) : [];
  const parts = (rules.allOf ?? []).flatMap((part) => compileNode({ ...input, rules: part }) ?? []);
  const tree: RuleTree = {
    schema: place,
    isResourceRoot,
    rules: compiled,
    properties: compileProperties(input),
    additional: compileElement(input, rules.additionalProperties, place.additionalProperties),
    items: compileElement(input, rules.items, place.items),
    parts,
  };
  const empty =
    compiled.length + parts.length + tree.properties.size === 0 && !tree.additional && !tree.items;
  return empty ? undefined : tree;
}

function compileProperties({ rules, place, type, environment }: NodeInput): ReadonlyMap<string, RuleTree> {
  const trees = new Map<string, RuleTree>();
  for (const [name, inner] of Object.entries(rules.properties ?? {})) {
    const property = place.properties?.[name];
    if (!property) continue;
    const isResourceRoot = property.embeddedResource === true;
    const tree = compileNode({
      rules: inner,
      place: property,
      isResourceRoot,
      type: propertyType(name, property, type, isResourceRoot),
      environment,
    });
    if (tree) trees.set(name, tree);
  }
  return trees;
}

/** Properties that no identifier can name still have rules of their own. */
function propertyType(
  name: string,
  schema: Schema,
  parent: SchemaType | undefined,
  isResourceRoot: boolean,
): SchemaType | undefined {
  const identifier = escapeProperty(name);
  if (identifier === undefined) return schemaType(schema, { name: SELF_TYPE, isResourceRoot });
  return parent?.fields?.get(identifier)?.type;
}

function compileElement(
  { type, environment }: NodeInput,
  rules: Schema | boolean | undefined,
  place: Schema | boolean | undefined,
): RuleTree | undefined {
  if (typeof rules !== 'object' || typeof place !== 'object') return undefined;
  return compileNode({
    rules,
    place,
    isResourceRoot: place.embeddedResource === true,
    type: type?.element,
    environment,
  });
}

/** Values that the rules of an object are evaluated on. */
export interface RuleTreeInput extends Pick<RuleInput, 'self' | 'oldSelf' | 'variables' | 'signal'> {}

/**
 * Runs all rules over an object; stops when the budget is exhausted. Old values are found where paths
 * correlate.
 */
export function evaluateRuleTree(tree: RuleTree, input: RuleTreeInput, budget: RuleBudget): PlacedFailure[] {
  return runAtOnce(evaluateRuleTreeSteps(tree, input, budget));
}

/** As {@link evaluateRuleTree}, with pauses between expensive rules and between many paths. */
export function* evaluateRuleTreeSteps(
  tree: RuleTree,
  input: RuleTreeInput,
  budget: RuleBudget,
): Steps<PlacedFailure[]> {
  const failures: PlacedFailure[] = [];
  const places: Place[] = [{ tree, path: [], self: input.self, oldSelf: input.oldSelf }];
  let visited = 0;
  for (let place = places.pop(); place && budget.remaining >= 0; place = places.pop()) {
    yield* visit(place, input, budget, failures, places);
    if (++visited % PLACES_OF_STEP === 0) yield;
  }
  return failures;
}

const PLACES_OF_STEP = 1000;

interface Place {
  readonly tree: RuleTree;
  readonly path: readonly PathStep[];
  readonly self: JsonValue | undefined;
  readonly oldSelf: JsonValue | undefined;
}

/** Runs the rules of a path, and pushes the paths below it, the first on top. */
function* visit(
  place: Place,
  input: RuleTreeInput,
  budget: RuleBudget,
  failures: PlacedFailure[],
  places: Place[],
): Steps<void> {
  const { tree, path, self, oldSelf } = place;
  // Rules of a path see it only if it is present; its absence is for the rules around it.
  if (self === null || self === undefined) return;
  const { schema, isResourceRoot } = tree;
  const own = yield* evaluateRulesSteps(
    tree.rules,
    { ...input, schema, isResourceRoot, self, oldSelf },
    budget,
  );
  for (const failure of own) failures.push({ ...failure, path, value: self, schema });
  const inner = [...partsOf(place), ...placesWithin(place)];
  for (let i = inner.length - 1; i >= 0; i--) places.push(inner[i] as Place);
}

const partsOf = ({ tree, ...place }: Place): Place[] => tree.parts.map((part) => ({ ...place, tree: part }));

function placesWithin({ tree, path, self, oldSelf }: Place): Place[] {
  if (Array.isArray(self)) return tree.items ? elementPlaces(tree, tree.items, path, self, oldSelf) : [];
  return isJsonObject(self) ? memberPlaces(tree, path, self, isJsonObject(oldSelf) ? oldSelf : {}) : [];
}

function elementPlaces(
  tree: RuleTree,
  items: RuleTree,
  path: readonly PathStep[],
  self: readonly JsonValue[],
  oldSelf: JsonValue | undefined,
): Place[] {
  const oldElement = correlation(tree.schema, Array.isArray(oldSelf) ? oldSelf : []);
  return self.map((element, index) => ({
    tree: items,
    path: [...path, { index }],
    self: element,
    oldSelf: oldElement(element),
  }));
}

/** Finds the old element of a list map by its keys; other lists do not correlate. */
function correlation(
  schema: Schema,
  old: readonly JsonValue[],
): (element: JsonValue) => JsonValue | undefined {
  const { listType, listMapKeys = [] } = schema;
  return listType === 'map' ? itemsByKeys(old, listMapKeys) : () => undefined;
}

function memberPlaces(
  tree: RuleTree,
  path: readonly PathStep[],
  self: JsonObject,
  oldSelf: JsonObject,
): Place[] {
  const places: Place[] = [];
  const { additional } = tree;
  for (const [name, member] of Object.entries(self)) {
    const old = Object.hasOwn(oldSelf, name) ? oldSelf[name] : undefined;
    if (additional)
      places.push({ tree: additional, path: [...path, { key: name }], self: member, oldSelf: old });
    const property = tree.properties.get(name);
    if (property)
      places.push({ tree: property, path: [...path, { property: name }], self: member, oldSelf: old });
  }
  return places;
}
