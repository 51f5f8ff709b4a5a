import { isJsonObject, type JsonObject, type JsonValue } from '@ashlar/core';

/** The resources of a version in an aggregated document of another server; undefined if the document does not have the version. */
export function resourcesInAggregated(
  document: JsonValue,
  group: string,
  version: string,
): readonly JsonObject[] | undefined {
  const named = objectsOf(fieldOf(document, 'items')).filter(
    ({ metadata }) => fieldOf(metadata, 'name') === group,
  );
  const found = named.flatMap(({ versions }) => objectsOf(versions)).find((each) => each.version === version);
  return found && objectsOf(found.resources).flatMap(aggregatedResource);
}

/**
 * The resources of a version in a plain document, as aggregated discovery shows them: of the kinds only what that document says
 * (semantics/discovery#aggregation-in-detail). Undefined if it is no such document.
 */
export function resourcesInPlain(document: JsonValue): readonly JsonObject[] | undefined {
  if (fieldOf(document, 'kind') !== 'APIResourceList') return undefined;
  const found = new Map<string, JsonObject>();
  const listed = objectsOf(fieldOf(document, 'resources'));
  for (const entry of listed) {
    const name = textOf(entry.name);
    if (name === '' || name.includes('/')) continue;
    found.set(name, {
      resource: name,
      responseKind: responseKind(entry),
      scope: entry.namespaced === true ? 'Namespaced' : 'Cluster',
      singularResource: textOf(entry.singularName),
      ...lists(entry),
    });
  }
  return withSubresources(found, listed);
}

function withSubresources(
  found: Map<string, JsonObject>,
  listed: readonly JsonObject[],
): readonly JsonObject[] {
  const below = new Map<string, JsonObject[]>();
  for (const entry of listed) {
    const name = textOf(entry.name);
    const slash = name.indexOf('/');
    const parent = name.slice(0, slash);
    if (slash < 0 || !found.has(parent)) continue;
    const subresource = {
      subresource: name.slice(slash + 1),
      responseKind: responseKind(entry),
      verbs: textsOf(entry.verbs),
    };
    const existing = below.get(parent);
    if (existing) existing.push(subresource);
    else below.set(parent, [subresource]);
  }
  return [...found].map(([name, resource]) => {
    const subresources = below.get(name);
    return subresources ? { ...resource, subresources } : resource;
  });
}

/** Only what has the form of a resource: clients read all servers' resources together. */
function aggregatedResource(entry: JsonObject): readonly JsonObject[] {
  const resource = textOf(entry.resource);
  if (resource === '') return [];
  const subresources = objectsOf(entry.subresources).map((each) => ({
    subresource: textOf(each.subresource),
    ...(isObject(each.responseKind) && { responseKind: responseKind(each.responseKind) }),
    verbs: textsOf(each.verbs),
  }));
  return [
    {
      resource,
      ...(isObject(entry.responseKind) && { responseKind: responseKind(entry.responseKind) }),
      scope: entry.scope === 'Namespaced' ? 'Namespaced' : 'Cluster',
      singularResource: textOf(entry.singularResource),
      ...lists(entry),
      ...(subresources.length > 0 && { subresources }),
    },
  ];
}

const responseKind = ({ group, version, kind }: JsonObject): JsonObject => ({
  group: textOf(group),
  version: textOf(version),
  kind: textOf(kind),
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
