import {
  doneSteps,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Schema,
  type Steps,
  setMember,
} from '@ashlar/core';
import { type Compiled, CompiledSchema } from './compiled-schema.ts';
import { mapItems, mapItemsSteps, mapMembers, mapMembersSteps } from './copy-on-write.ts';
import { DefaultBudget, type DefaultLimits } from './default-budget.ts';
import { compileDefaultValue, type FillIn, type GiveDefault } from './default-value.ts';
import { findLargeValues, isPausePoint, isSmall, type LargeValues } from './large-values.ts';
import { mapProperties } from './schema-parts.ts';

/** Fills in the defaults of a schema. */
export interface Defaulter {
  compileSteps(): Steps<void>;
  /** @throws ObjectTooLargeError if the object would get too large */
  fillIn(value: JsonValue, limits?: DefaultLimits): JsonValue;
  /** The same, with pauses. */
  fillInSteps(value: JsonValue, limits?: DefaultLimits): Steps<JsonValue>;
}

/** What is done to objects; all is done by default. */
export interface DefaultingOptions {
  /** Whether nulls stay that are not nullable and have no default, for validation. */
  readonly keepsNulls?: boolean;
  /** Whether nothing is defaulted. */
  readonly givesNone?: boolean;
}

/**
 * Compiles the defaults of a schema (semantics/schemas#defaults): first null is dropped if the schema is not
 * nullable and has no default, then absent members and such nulls are defaulted, from the top down, so that a
 * default object is itself defaulted. Unchanged values are returned themselves.
 */
export function compileDefaults(schema: Schema, options: DefaultingOptions = {}): Defaulter {
  const compiled = new CompiledSchema<Node>(schema, (part, compile) => compileNode(part, options, compile));
  return {
    compileSteps: () => compiled.compileSteps(),
    fillIn: (value, limits) => compiled.whole.fillIn(value, new DefaultBudget(value, limits)),
    fillInSteps(value, limits) {
      const budget = new DefaultBudget(value, limits);
      return isSmall(value) && compiled.isCompiled
        ? doneSteps(compiled.whole.fillIn(value, budget))
        : fillLarge(value, compiled, budget);
    },
  };
}

type CompileNode = (part: Schema) => Node;

function* fillLarge(value: JsonValue, compiled: Compiled<Node>, budget: DefaultBudget): Steps<JsonValue> {
  yield* compiled.compileSteps();
  const node = compiled.whole;
  const large = yield* findLargeValues(value);
  return large.has(value) ? yield* node.fillInSteps(value, { budget, large }) : node.fillIn(value, budget);
}

/** Replaces a null without a default: mapMembers omits such members. */
const DROPPED = undefined as unknown as JsonValue;

interface LargeFilling {
  readonly budget: DefaultBudget;
  readonly large: LargeValues;
}

/** The defaults of a part of a schema. */
interface Node {
  readonly fillIn: FillIn;
  /** The same for a large value. */
  fillInSteps(value: JsonValue, filling: LargeFilling): Steps<JsonValue>;
}

const SAME: Node = { fillIn: (value) => value, fillInSteps: doneSteps };

function compileNode(schema: Schema, options: DefaultingOptions, compile: CompileNode): Node {
  const members = compileMembers(schema, options, compile);
  const items = schema.items ? compileItems(schema.items, options, compile) : SAME;
  if (members === SAME && items === SAME) return SAME;
  const fillMembers = members.fillIn;
  const fillItems = items.fillIn;
  return {
    fillIn(value, budget) {
      if (Array.isArray(value)) return fillItems(value, budget);
      return isJsonObject(value) ? fillMembers(value, budget) : value;
    },
    fillInSteps(value, filling) {
      return (Array.isArray(value) ? items : members).fillInSteps(value, filling);
    },
  };
}

function compileItems(schema: Schema, options: DefaultingOptions, compile: CompileNode): Node {
  const inside = compile(schema);
  const give = compileDefaultValue(schema, inside.fillIn);
  const takesNull = schema.nullable === true || give === undefined || options.givesNone === true;
  if (inside === SAME && takesNull) return SAME;
  // A null that is not nullable becomes the default; null stays if there is none.
  const item: FillIn = (value, budget) =>
    value === null && !takesNull ? (give as GiveDefault)(budget) : inside.fillIn(value, budget);
  return {
    fillIn: (value, budget) => mapItems(value as readonly JsonValue[], (each) => item(each, budget)),
    fillInSteps: (value, filling) =>
      mapItemsSteps(
        value as readonly JsonValue[],
        (each) => item(each, filling.budget),
        (_, each) => (filling.large.has(each) ? inside.fillInSteps(each, filling) : undefined),
      ),
  };
}

/** A member that may be absent. */
interface Member extends Node {
  readonly give: GiveDefault | undefined;
}

function compileMembers(schema: Schema, options: DefaultingOptions, compile: CompileNode): Node {
  const { additionalProperties } = schema;
  const nodes = mapProperties(schema, (part) => compileMember(part, options, compile));
  const other =
    typeof additionalProperties === 'object'
      ? compileMember(additionalProperties, options, compile)
      : undefined;
  if (nodes.size === 0 && !other) return SAME;
  const defaulted: DefaultedMember[] = [];
  for (const [name, { give }] of nodes) if (give) defaulted.push([name, give]);
  return {
    fillIn(value, budget) {
      const changed = mapMembers(value as JsonObject, (key, member) => {
        const node = nodes.get(key) ?? other;
        return node ? node.fillIn(member, budget) : member;
      });
      const missing = missingIn(changed, defaulted);
      return missing.length === 0 ? changed : withMissing(copyMembers(changed), missing, budget);
    },
    *fillInSteps(value, filling) {
      const { large, budget } = filling;
      const nodeOf = (key: string): Node => nodes.get(key) ?? other ?? SAME;
      const changed = yield* mapMembersSteps(
        value as JsonObject,
        (key, member) => nodeOf(key).fillIn(member, budget),
        (key, member) => (large.has(member) ? nodeOf(key).fillInSteps(member, filling) : undefined),
      );
      const missing = missingIn(changed, defaulted);
      return missing.length === 0 ? changed : withMissing(yield* copySteps(changed), missing, budget);
    },
  };
}

type DefaultedMember = readonly [name: string, give: GiveDefault];

const NONE: readonly DefaultedMember[] = [];

function missingIn(object: JsonObject, defaulted: readonly DefaultedMember[]): readonly DefaultedMember[] {
  let missing: DefaultedMember[] | undefined;
  for (const each of defaulted) {
    const [name] = each;
    if (Object.hasOwn(object, name) && object[name] !== undefined) continue;
    missing ??= [];
    missing.push(each);
  }
  return missing ?? NONE;
}

function withMissing(
  object: Record<string, JsonValue>,
  missing: readonly DefaultedMember[],
  budget: DefaultBudget,
): JsonObject {
  for (const [name, give] of missing) {
    budget.spend(name.length + 4);
    setMember(object, name, give(budget));
  }
  return object;
}

function copyMembers(object: JsonObject): Record<string, JsonValue> {
  const copy: Record<string, JsonValue> = {};
  for (const key in object) setMember(copy, key, object[key]);
  return copy;
}

function* copySteps(object: JsonObject): Steps<Record<string, JsonValue>> {
  const copy: Record<string, JsonValue> = {};
  for (const [index, key] of Object.keys(object).entries()) {
    setMember(copy, key, object[key]);
    if (isPausePoint(undefined, index)) yield;
  }
  return copy;
}

/** Returns the defaulted member; undefined if it is dropped. */
function compileMember(schema: Schema, options: DefaultingOptions, compile: CompileNode): Member {
  const inside = compile(schema);
  const { fillIn } = inside;
  const declared = compileDefaultValue(schema, fillIn);
  const give = options.givesNone ? undefined : declared;
  const takesNull = schema.nullable === true || (declared !== undefined && give === undefined);
  const unwanted = options.keepsNulls ? null : DROPPED;
  return {
    give,
    fillIn(value, budget) {
      if (value !== null || takesNull) return fillIn(value, budget);
      return give ? give(budget) : unwanted;
    },
    fillInSteps: inside.fillInSteps,
  };
}
