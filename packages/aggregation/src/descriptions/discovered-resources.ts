import { isJsonObject, type JsonObject, type JsonValue, type Steps } from '@ashlar/core';

/** Number of resources that are read between two pauses. */
const READ_PER_STEP = 1024;

/** The resources of a version in an aggregated document of another server; undefined if the document does not have the version. */
export function* resourcesInAggregatedSteps(
  document: JsonValue,
  group: string,
  version: string,
): Steps<readonly JsonObject[] | undefined> {
  let last: JsonObject | undefined;
  for (const [index, { metadata, versions }] of objectsOf(fieldOf(document, 'items')).entries()) {
    if (index % READ_PER_STEP === READ_PER_STEP - 1) yield;
    if (fieldOf(metadata, 'name') !== group) continue;
    last = objectsOf(versions).findLast((each) => each.version === version) ?? last;
  }
  return last && (yield* aggregatedResourcesSteps(objectsOf(last.resources)));
}

function* aggregatedResourcesSteps(entries: readonly JsonObject[]): Steps<readonly JsonObject[]> {
  const resources: JsonObject[] = [];
  for (const [index, entry] of entries.entries()) {
    const resource = aggregatedResource(entry);
    if (resource) resources.push(resource);
    if (index % READ_PER_STEP === READ_PER_STEP - 1) yield;
  }
  return resources;
}

/**
 * The resources of a version in a plain document, as aggregated discovery shows them: of the kinds only what that document says
 * (semantics/discovery#aggregation-in-detail). Undefined if it is no such document.
 */
export function* resourcesInPlainSteps(document: JsonValue): Steps<readonly JsonObject[] | undefined> {
  const entries = fieldOf(document, 'resources');
  // some servers leave out the kind
  const kind = fieldOf(document, 'kind') ?? (Array.isArray(entries) ? 'APIResourceList' : undefined);
  if (kind !== 'APIResourceList') return undefined;
  const listed = objectsOf(entries);
  const below = yield* subresourcesSteps(listed);
  const found = new Map<string, JsonObject>();
  for (const [index, entry] of listed.entries()) {
    const name = textOf(entry.name);
    if (name !== '' && !name.includes('/')) found.set(name, plainResource(name, entry, below.get(name)));
    if (index % READ_PER_STEP === READ_PER_STEP - 1) yield;
  }
  return [...found.values()];
}

const plainResource = (
  name: string,
  entry: JsonObject,
  subresources: readonly JsonObject[] | undefined,
): JsonObject => ({
  resource: name,
  responseKind: responseKind(entry),
  scope: entry.namespaced === true ? 'Namespaced' : 'Cluster',
  singularResource: textOf(entry.singularName),
  ...lists(entry),
  ...(subresources && { subresources }),
});

/** The subresources among entries by the names of their resources. */
function* subresourcesSteps(
  listed: readonly JsonObject[],
): Steps<ReadonlyMap<string, readonly JsonObject[]>> {
  const below = new Map<string, JsonObject[]>();
  for (const [index, entry] of listed.entries()) {
    if (index % READ_PER_STEP === READ_PER_STEP - 1) yield;
    const name = textOf(entry.name);
    const slash = name.indexOf('/');
    if (slash < 0) continue;
    const parent = name.slice(0, slash);
    const subresource = {
      subresource: name.slice(slash + 1),
      responseKind: responseKind(entry),
      verbs: textsOf(entry.verbs),
    };
    const existing = below.get(parent);
    if (existing) existing.push(subresource);
    else below.set(parent, [subresource]);
  }
  return below;
}

/** Only what has the form of a resource: clients read all servers' resources together. */
function aggregatedResource(entry: JsonObject): JsonObject | undefined {
  const resource = textOf(entry.resource);
  if (resource === '') return undefined;
  const subresources = objectsOf(entry.subresources).map((each) => ({
    subresource: textOf(each.subresource),
    responseKind: responseKind(each.responseKind),
    verbs: textsOf(each.verbs),
  }));
  return {
    resource,
    responseKind: responseKind(entry.responseKind),
    scope: entry.scope === 'Namespaced' ? 'Namespaced' : 'Cluster',
    singularResource: textOf(entry.singularResource),
    ...lists(entry),
    ...(subresources.length > 0 && { subresources }),
  };
}

/** Always an object, with empty texts where nothing is said: older clients break down without one. */
const responseKind = (entry: JsonValue | undefined): JsonObject => ({
  group: textOf(fieldOf(entry, 'group')),
  version: textOf(fieldOf(entry, 'version')),
  kind: textOf(fieldOf(entry, 'kind')),
});

function lists({ verbs, shortNames, categories }: JsonObject): JsonObject {
  return {
    verbs: textsOf(verbs),
    ...(textsOf(shortNames).length > 0 && { shortNames: textsOf(shortNames) }),
    ...(textsOf(categories).length > 0 && { categories: textsOf(categories) }),
  };
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  value !== undefined && isJsonObject(value);
const fieldOf = (value: JsonValue | undefined, name: string): JsonValue | undefined =>
  isObject(value) ? value[name] : undefined;
const objectsOf = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];
const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
const textsOf = (value: JsonValue | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
