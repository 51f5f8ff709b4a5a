import { isJsonObject, type JsonObject, type JsonValue, type Schema, setMember } from '@ashlar/core';
import { mapItems, mapMembers } from './copy-on-write.ts';

/** Fills in the defaults of a schema. */
export type Defaulter = (value: JsonValue) => JsonValue;

/**
 * Compiles the defaults of a schema (semantics H4): first null is dropped where the schema does not take it and has no default,
 * then absent members and such nulls get theirs, from the top down, so that a default object is itself defaulted. Values that
 * lack nothing are given back themselves.
 * @param keepsNulls null that nothing takes the place of stays, for who validates it
 */
export function compileDefaults(schema: Schema, keepsNulls: boolean = false): Defaulter {
  const node = compileNode(schema, keepsNulls ? null : DROPPED);
  return (value) => node(value);
}

/** What takes the place of a null that is taken by nobody: mapMembers leaves such members out. */
const DROPPED = undefined as unknown as JsonValue;

const SAME: Defaulter = (value) => value;

function compileNode(schema: Schema, unwanted: JsonValue): Defaulter {
  const members = compileMembers(schema, unwanted);
  const items = schema.items && compileItems(schema.items, unwanted);
  if (members === SAME && !items) return SAME;
  return (value) => {
    if (Array.isArray(value)) return items ? mapItems(value, items) : value;
    return isJsonObject(value) ? members(value) : value;
  };
}

/** A null that the schema does not take becomes the default; null stays where there is none. */
function compileItems(schema: Schema, unwanted: JsonValue): Defaulter | undefined {
  const inside = compileNode(schema, unwanted);
  if (schema.nullable) return inside === SAME ? undefined : inside;
  const absent = defaultOf(schema) ?? null;
  if (inside === SAME && absent === null) return undefined;
  return (value) => inside(value === null ? absent : value);
}

function compileMembers({ properties = {}, additionalProperties }: Schema, unwanted: JsonValue): Defaulter {
  const nodes = new Map(
    Object.entries(properties).map(([name, part]) => [name, compileMember(part, unwanted)]),
  );
  const other =
    typeof additionalProperties === 'object' ? compileMember(additionalProperties, unwanted) : undefined;
  const added = Object.entries(properties).filter(([, part]) => defaultOf(part) !== undefined);
  if (nodes.size === 0 && !other) return SAME;
  return (value) => {
    const changed = mapMembers(value as JsonObject, (key, member) => {
      const node = nodes.get(key) ?? other;
      return node ? node(member) : member;
    });
    const missing = added.filter(([name]) => !Object.hasOwn(changed, name) || changed[name] === undefined);
    if (missing.length === 0) return changed;
    const filled: Record<string, JsonValue> = {};
    for (const [key, member] of Object.entries(changed)) setMember(filled, key, member);
    for (const [name, part] of missing) {
      setMember(filled, name, (nodes.get(name) as Defaulter)(defaultOf(part) as JsonValue));
    }
    return filled;
  };
}

/** What a member becomes; undefined where it is dropped. */
function compileMember(schema: Schema, unwanted: JsonValue): (value: JsonValue) => JsonValue {
  const inside = compileNode(schema, unwanted);
  const absent = defaultOf(schema);
  return (value) => {
    if (value !== null || schema.nullable) return inside(value);
    return absent === undefined ? unwanted : inside(absent);
  };
}

/** A default of null counts as none. */
const defaultOf = (schema: Schema): JsonValue | undefined => schema.default ?? undefined;
