import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqualSteps,
  type Steps,
  type Vocabulary,
} from '@ashlar/core';
import type { PublishedApis } from '../aggregated/aggregated-apis.ts';
import { renamedSteps } from './renamed-references.ts';
import { sortedByKeySteps } from './sorted-by-key.ts';

type PublishedDocument = NonNullable<PublishedApis['v2']>;

const DEFINITION = '#/definitions/';
const PARAMETER = '#/parameters/';

/**
 * Adds to the OpenAPI v2 document of a server what those behind it publish: the paths of their registered versions, and all their
 * definitions and shared parameters. A definition or parameter whose name another one has already gets another name, in its own server's part (semantics/discovery#aggregation-in-detail).
 */
export function* mergedV2DocumentSteps(
  own: JsonObject,
  published: readonly PublishedDocument[],
  { extensionPrefix }: Vocabulary,
): Steps<JsonObject> {
  const paths = new Map(Object.entries(own.paths as Record<string, JsonObject>));
  const definitions = new Map(Object.entries(own.definitions as Record<string, JsonObject>));
  const parameters = new Map(Object.entries((own.parameters ?? {}) as Record<string, JsonObject>));
  const marker = `${extensionPrefix}group-version-kind`;
  for (const { document, path: version } of published) {
    // without paths nothing refers to definitions, and release 1.32 leaves them out, too
    if (document.paths === undefined) continue;
    const definitionNames = yield* addNamedSteps(
      definitions,
      yield* membersOfSteps(document.definitions),
      DEFINITION,
      marker,
    );
    // a parameter is another one where it refers to another definition
    const theirs: Member[] = [];
    for (const [name, parameter] of yield* membersOfSteps(document.parameters))
      theirs.push([name, yield* renamedSteps(parameter, definitionNames)]);
    const parameterNames = yield* addNamedSteps(parameters, theirs, PARAMETER, marker);
    const names = new Map([...definitionNames, ...parameterNames]);
    for (const [path, item] of yield* membersOfSteps(document.paths)) {
      const isTheirs = path.startsWith(`/${version}/`);
      yield;
      if (isTheirs && !paths.has(path)) paths.set(path, yield* renamedSteps(item, names));
    }
  }
  return {
    ...own,
    paths: yield* sortedByKeySteps(paths),
    definitions: yield* sortedByKeySteps(definitions),
    ...(parameters.size > 0 && { parameters: yield* sortedByKeySteps(parameters) }),
  };
}

/** A member with its name. */
type Member = readonly [string, JsonObject];

/** The members of a value that are objects. */
function* membersOfSteps(value: JsonValue | undefined): Steps<readonly Member[]> {
  if (value === undefined || !isJsonObject(value)) return [];
  const found: Member[] = [];
  for (const name of Object.keys(value)) {
    yield;
    const member = value[name];
    if (member !== undefined && isJsonObject(member)) found.push([name, member]);
  }
  return found;
}

/** Adds definitions or parameters; returns the new references of those that need another name. @param prefix of references to them */
function* addNamedSteps(
  all: Map<string, JsonObject>,
  added: readonly Member[],
  prefix: string,
  marker: string,
): Steps<ReadonlyMap<string, string>> {
  const references = new Map<string, string>();
  const newNames = new Map<string, string>();
  const addedNames = new Set(added.map(([name]) => name));
  for (const [name, value] of added) {
    yield;
    const existing = all.get(name);
    if (!existing || (yield* isSameSteps(existing, value, marker))) continue;
    const free = freeName(name, (each) => all.has(each) || addedNames.has(each));
    newNames.set(name, free);
    references.set(prefix + name, prefix + free);
    addedNames.add(free);
  }
  for (const [name, value] of added) {
    yield;
    const existing = newNames.has(name) ? undefined : all.get(name);
    const merged = existing ? withKindsOf(existing, value, marker) : yield* renamedSteps(value, references);
    all.set(newNames.get(name) ?? name, merged);
  }
  return references;
}

function freeName(name: string, isUsed: (name: string) => boolean): string {
  for (let number = 2; ; number++) {
    const candidate = `${name}_v${number}`;
    if (!isUsed(candidate)) return candidate;
  }
}

/** Whether definitions differ at most in the kinds that they are of. */
function isSameSteps(a: JsonObject, b: JsonObject, marker: string): Steps<boolean> {
  const withoutKinds = (definition: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(definition).filter(([name]) => name !== marker));
  return jsonEqualSteps(withoutKinds(a), withoutKinds(b));
}

function withKindsOf(existing: JsonObject, definition: JsonObject, marker: string): JsonObject {
  const [kinds, others] = [existing[marker], definition[marker]];
  if (!Array.isArray(others)) return existing;
  const byText = new Map(
    [...(Array.isArray(kinds) ? kinds : []), ...others].map((kind) => [JSON.stringify(kind), kind]),
  );
  return { ...existing, [marker]: [...byText.values()] };
}
