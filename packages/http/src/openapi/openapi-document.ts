import type { JsonObject, Steps, Vocabulary } from '@ashlar/core';
import { viewsOf } from '@ashlar/registry';
import type { ApiCatalog, ServedGroupVersion } from '../catalog/api-catalog.ts';
import type { ServedResource } from '../catalog/served-resource.ts';
import { servedSubresource } from '../catalog/served-subresource.ts';
import { byPlural } from '../discovery/discovery.ts';
import { type KindMarker, markerOf } from './kind-marker.ts';
import { OpenApiComponents } from './openapi-components.ts';
import { connectionPaths } from './openapi-connections.ts';
import { type OpenApiDocument, openApiFrameSteps } from './openapi-frame.ts';
import { type ObjectAction, type OperationTarget, pathItem } from './openapi-operations.ts';
import { versionOperation } from './openapi-plain-paths.ts';

/**
 * Creates the OpenAPI v3 document of one group version, one resource after the other (semantics/discovery#openapi).
 * @param kinds built-in kinds by type name
 */
export function* openApiDocumentSteps(
  served: ServedGroupVersion,
  vocabulary: Vocabulary,
  release: string,
  kinds: ReadonlyMap<string, KindMarker> = new Map(),
): Steps<OpenApiDocument> {
  const root = served.group === '' ? `/api/${served.version}` : `/apis/${served.group}/${served.version}`;
  const resources = [...served.resources.values()].sort(byPlural);
  const [first] = resources;
  const dialect = first?.definition.dialect ?? 'built-in';
  const components = new OpenApiComponents(vocabulary, kinds, dialect);
  const paths: Record<string, JsonObject> = {};
  if (first && dialect === 'built-in')
    paths[`${root}/`] = versionOperation(served, first.mediaTypes.names, components);
  for (const resource of resources) {
    Object.assign(paths, resourcePaths(root, resource, components));
    yield;
  }
  return yield* openApiFrameSteps(paths, components.schemas, { vocabulary, release, dialect });
}

/** Returns the served built-in kinds by type name: a document may refer to one of another group. */
export function builtInKinds(catalog: ApiCatalog): ReadonlyMap<string, KindMarker> {
  const kinds = new Map<string, KindMarker>();
  for (const group of catalog.groups()) {
    for (const { resources } of catalog.versions(group)) {
      for (const served of resources.values()) {
        // schemas of custom kinds have no such names, and are not read before they are needed
        if (served.definition.dialect === 'custom') continue;
        const { typeName } = served.version.schema;
        if (typeName !== undefined) kinds.set(typeName, markerOf(served));
      }
    }
  }
  return kinds;
}

function resourcePaths(
  root: string,
  served: ServedResource,
  components: OpenApiComponents,
): Record<string, JsonObject> {
  const { plural } = served.definition.names;
  const { namespaced } = served;
  const base = namespaced ? `${root}/namespaces/{namespace}/${plural}` : `${root}/${plural}`;
  const inNamespace = namespaced ? ['namespace'] : [];
  const target = { served, components, namespaced };
  const paths: Record<string, JsonObject> = {};
  const inObject = ['name', ...inNamespace];
  const add = (
    path: string,
    at: OperationTarget,
    actions: readonly ObjectAction[],
    inPath: string[],
  ): void => {
    if (actions.length > 0) paths[path] = pathItem(at, actions, inPath);
  };
  add(base, target, collectionActions(served.verbs), inNamespace);
  add(`${base}/{name}`, target, objectActions(served.verbs), inObject);
  if (namespaced && served.verbs.includes('list'))
    add(`${root}/${plural}`, { ...target, namespaced: false }, ['list'], []);
  for (const { path, at, action, inPath } of olderWatches(root, target)) add(path, at, [action], inPath);
  for (const { name, verbs, at } of subresourceTargets(target))
    add(`${base}/{name}/${name}`, at, subresourceActions(verbs), inObject);
  for (const connection of served.definition.connections ?? [])
    Object.assign(paths, connectionPaths(target, connection, `${base}/{name}/${connection.name}`, inObject));
  return paths;
}

interface OlderWatch {
  readonly path: string;
  readonly at: OperationTarget;
  readonly action: ObjectAction;
  readonly inPath: string[];
}

/** Built-in kinds have watch paths of their own, too. */
function olderWatches(root: string, target: OperationTarget): readonly OlderWatch[] {
  const { definition, verbs } = target.served;
  if (definition.dialect !== 'built-in' || !verbs.includes('watch')) return [];
  const { plural } = definition.names;
  const { namespaced } = target;
  const base = namespaced ? `${root}/watch/namespaces/{namespace}/${plural}` : `${root}/watch/${plural}`;
  const inPath = namespaced ? ['namespace'] : [];
  const everywhere = { ...target, namespaced: false };
  return [
    ...(namespaced
      ? [{ path: `${root}/watch/${plural}`, at: everywhere, action: 'watchlist' as const, inPath: [] }]
      : []),
    { path: base, at: target, action: 'watchlist', inPath },
    { path: `${base}/{name}`, at: target, action: 'watch', inPath: ['name', ...inPath] },
  ];
}

interface SubresourceTarget {
  readonly name: string;
  readonly verbs: readonly string[];
  readonly at: OperationTarget;
}

function subresourceTargets(target: OperationTarget): readonly SubresourceTarget[] {
  const { definition, version } = target.served;
  const ofOtherKind = (subresource: string): OperationTarget => {
    const { served: parent } = target;
    return { ...target, served: servedSubresource(parent, subresource) ?? parent, subresource, parent };
  };
  return [
    ...(version.subresources ?? []).map(({ name, verbs }) => ({
      name,
      verbs,
      at: { ...target, subresource: name },
    })),
    ...viewsOf(definition, version).map(({ name, verbs }) => ({ name, verbs, at: ofOtherKind(name) })),
    ...(definition.actions ?? []).map(({ name }) => ({ name, verbs: ['create'], at: ofOtherKind(name) })),
  ];
}

type ActionOfVerb = readonly (readonly [verb: string, action: ObjectAction])[];
const ON_COLLECTIONS: ActionOfVerb = [
  ['list', 'list'],
  ['create', 'post'],
  ['deletecollection', 'deletecollection'],
];
const ON_OBJECTS: ActionOfVerb = [
  ['get', 'get'],
  ['update', 'put'],
  ['delete', 'delete'],
  ['patch', 'patch'],
];
const ON_SUBRESOURCES: ActionOfVerb = [...ON_OBJECTS, ['create', 'post']];

const actions =
  (actionsOfVerbs: ActionOfVerb) =>
  (verbs: readonly string[]): readonly ObjectAction[] =>
    actionsOfVerbs.filter(([verb]) => verbs.includes(verb)).map(([, action]) => action);
const collectionActions: (verbs: readonly string[]) => readonly ObjectAction[] = actions(ON_COLLECTIONS);
const objectActions: (verbs: readonly string[]) => readonly ObjectAction[] = actions(ON_OBJECTS);
const subresourceActions: (verbs: readonly string[]) => readonly ObjectAction[] = actions(ON_SUBRESOURCES);
