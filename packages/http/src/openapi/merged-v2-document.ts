import { isJsonObject, type JsonObject, type JsonValue, jsonEqual, type Vocabulary } from '@ashlar/core';
import type { PublishedApis } from '../aggregated/aggregated-apis.ts';
import { sortedByKey } from './sorted-by-key.ts';

type PublishedDocument = NonNullable<PublishedApis['v2']>;

const REFERENCE = '#/definitions/';

/**
 * Adds to the OpenAPI v2 document of a server what those behind it publish: the paths of their registered versions, and all their
 * definitions. A definition whose name another one has already gets another name, in its own server's part (semantics/discovery#aggregation-in-detail).
 */
export function mergedV2Document(
  own: JsonObject,
  published: readonly PublishedDocument[],
  { extensionPrefix }: Vocabulary,
): JsonObject {
  const paths = new Map(Object.entries(own.paths as Record<string, JsonObject>));
  const definitions = new Map(Object.entries(own.definitions as Record<string, JsonObject>));
  const marker = `${extensionPrefix}group-version-kind`;
  for (const { document, pathPrefixes } of published) {
    const names = addDefinitions(definitions, membersOf(document.definitions), marker);
    for (const [path, item] of membersOf(document.paths)) {
      const isTheirs = pathPrefixes.some((prefix) => path.startsWith(prefix));
      if (isTheirs && !paths.has(path)) paths.set(path, renamed(item, names) as JsonObject);
    }
  }
  return {
    ...own,
    paths: sortedByKey(Object.fromEntries(paths)),
    definitions: sortedByKey(Object.fromEntries(definitions)),
  };
}

const membersOf = (value: JsonValue | undefined): readonly (readonly [string, JsonObject])[] =>
  value !== undefined && isJsonObject(value)
    ? Object.entries(value).flatMap(([name, member]) =>
        isJsonObject(member) ? [[name, member] as const] : [],
      )
    : [];

/** Returns the new names of those definitions that need one. */
function addDefinitions(
  definitions: Map<string, JsonObject>,
  added: readonly (readonly [string, JsonObject])[],
  marker: string,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const addedNames = new Set(added.map(([name]) => name));
  for (const [name, definition] of added) {
    const existing = definitions.get(name);
    if (!existing || isSame(existing, definition, marker)) continue;
    const free = freeName(name, (each) => definitions.has(each) || addedNames.has(each));
    names.set(name, free);
    addedNames.add(free);
  }
  for (const [name, definition] of added) {
    const existing = names.has(name) ? undefined : definitions.get(name);
    const ownName = names.get(name) ?? name;
    definitions.set(
      ownName,
      existing ? withKindsOf(existing, definition, marker) : (renamed(definition, names) as JsonObject),
    );
  }
  return names;
}

function freeName(name: string, isUsed: (name: string) => boolean): string {
  for (let number = 2; ; number++) {
    const candidate = `${name}_v${number}`;
    if (!isUsed(candidate)) return candidate;
  }
}

/** Whether definitions differ at most in the kinds that they are of. */
function isSame(a: JsonObject, b: JsonObject, marker: string): boolean {
  const withoutKinds = (definition: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(definition).filter(([name]) => name !== marker));
  return jsonEqual(withoutKinds(a), withoutKinds(b));
}

function withKindsOf(existing: JsonObject, definition: JsonObject, marker: string): JsonObject {
  const [kinds, others] = [existing[marker], definition[marker]];
  if (!Array.isArray(others)) return existing;
  const byText = new Map(
    [...(Array.isArray(kinds) ? kinds : []), ...others].map((kind) => [JSON.stringify(kind), kind]),
  );
  return { ...existing, [marker]: [...byText.values()] };
}

/** A copy whose references have the new names; the value itself where none is new. */
function renamed(value: JsonValue, names: ReadonlyMap<string, string>): JsonValue {
  if (names.size === 0) return value;
  if (Array.isArray(value)) return value.map((item) => renamed(item, names));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === '$ref' && typeof member === 'string'
        ? renamedReference(member, names)
        : renamed(member as JsonValue, names),
    ]),
  );
}

function renamedReference(reference: string, names: ReadonlyMap<string, string>): string {
  if (!reference.startsWith(REFERENCE)) return reference;
  const name = reference.slice(REFERENCE.length);
  return REFERENCE + (names.get(name) ?? name);
}
