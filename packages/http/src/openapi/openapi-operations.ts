import { routeMediaTypes } from '@ashlar/codec';
import { type JsonObject, objectOf } from '@ashlar/core';
import type { ServedResource } from '../catalog/served-resource.ts';
import { markerOf } from './kind-marker.ts';
import type { OpenApiComponents } from './openapi-components.ts';
import {
  type Action,
  actionParameters,
  type Parameter,
  pathParameters,
  sorted,
} from './openapi-parameters.ts';
import { capital, groupWord } from './operation-words.ts';

/** What is done with objects, and with collections of them. */
export type ObjectAction = Exclude<Action, 'connect'>;

/** A path of a resource whose operations are described. */
export interface OperationTarget {
  readonly served: ServedResource;
  readonly components: OpenApiComponents;
  readonly namespaced: boolean;
  readonly subresource?: string;
  /** The parent of a subresource of another kind; part of operation names. */
  readonly parent?: ServedResource;
}

/** The verbs in ids of operations (semantics/discovery#openapi). */
const VERBS: Readonly<Record<ObjectAction, string>> = {
  list: 'list',
  get: 'read',
  post: 'create',
  put: 'replace',
  patch: 'patch',
  delete: 'delete',
  deletecollection: 'delete',
  watch: 'watch',
  watchlist: 'watch',
};
const METHODS: Readonly<Record<ObjectAction, string>> = {
  list: 'get',
  get: 'get',
  post: 'post',
  put: 'put',
  patch: 'patch',
  delete: 'delete',
  deletecollection: 'delete',
  watch: 'get',
  watchlist: 'get',
};
const DONE: Readonly<Record<ObjectAction, string>> = {
  list: 'List or watch objects',
  get: 'Read an object',
  post: 'Create an object',
  put: 'Replace an object',
  patch: 'Change parts of an object',
  delete: 'Delete an object',
  deletecollection: 'Delete the objects that are selected',
  watch: 'Watch an object, in the older form of a list with watch',
  watchlist: 'Watch objects, in the older form of a list with watch',
};

const DESCRIPTIONS = { 200: 'OK', 201: 'Created', 202: 'Accepted' } as const;
const UNAUTHORIZED: JsonObject = { description: 'Unauthorized' };

/** Describes the operations of one path; parameters of all operations belong to the path (semantics/discovery#openapi). */
export function pathItem(
  target: OperationTarget,
  actions: readonly ObjectAction[],
  inPath: readonly string[],
): JsonObject {
  const { dialect } = (target.parent ?? target.served).definition;
  const parametersByAction = new Map(actions.map((action) => [action, actionParameters(action, dialect)]));
  const shared = sharedParameters([...parametersByAction.values()]);
  const operations = actions.map((action): [string, JsonObject] => {
    const own = (parametersByAction.get(action) ?? []).filter(
      ({ name }) => !shared.some((each) => each.name === name),
    );
    return [METHODS[action], operation(target, action, own)];
  });
  return { ...Object.fromEntries(operations), parameters: sorted([...pathParameters(inPath), ...shared]) };
}

/** Returns the parameters of all operations. */
function sharedParameters([first = [], ...others]: readonly (readonly Parameter[])[]): readonly Parameter[] {
  return first.filter(({ name }) => others.every((own) => own.some((each) => each.name === name)));
}

function operation(target: OperationTarget, action: ObjectAction, own: readonly Parameter[]): JsonObject {
  const { served, parent = served, subresource } = target;
  const { vocabulary, definition, routes } = served;
  // custom types count scales among their own operations
  const { group, version, kind } = markerOf(routes === 'built-in' ? served : parent);
  const part = subresource === undefined ? '' : `, ${subresource}`;
  return {
    tags: [`${groupWord(parent.definition.group, parent.vocabulary)}_${parent.version.name}`],
    description: `${DONE[action]} of the kind ${definition.names.kind}${part}`,
    operationId: operationId(target, action),
    ...(own.length > 0 && { parameters: sorted(own) }),
    ...requestBody(target, action),
    responses: objectOf([...responses(target, action), ['401', UNAUTHORIZED]]),
    [`${vocabulary.extensionPrefix}action`]: action,
    [`${vocabulary.extensionPrefix}group-version-kind`]: { group, version, kind },
  };
}

function operationId(
  { served, parent = served, namespaced, subresource = '' }: OperationTarget,
  action: ObjectAction,
): string {
  const { definition, version } = parent;
  const collection = action === 'deletecollection' ? 'Collection' : '';
  const isOfMany = action === 'list' || action === 'watchlist';
  const everywhere = isOfMany && served.namespaced && !namespaced ? 'ForAllNamespaces' : '';
  return [
    VERBS[action],
    capital(groupWord(parent.definition.group, parent.vocabulary)),
    capital(version.name),
    collection,
    namespaced ? 'Namespaced' : '',
    definition.names.kind,
    action === 'watchlist' ? 'List' : '',
    capital(subresource),
    everywhere,
  ].join('');
}

function requestBody(
  { served, parent = served, components }: OperationTarget,
  action: ObjectAction,
): JsonObject {
  const isCustom = parent.definition.dialect === 'custom';
  const types = isCustom ? responseTypes(served) : ['*/*'];
  if (action === 'post' || action === 'put') return body(components.object(served), types);
  if (action === 'delete' || (action === 'deletecollection' && !isCustom))
    return body(components.deleteOptions(markerOf(parent)), types, false);
  return action === 'patch' ? body(components.patch(), parent.patchTypes) : {};
}

function body(schema: JsonObject, types: readonly string[], required = true): JsonObject {
  return { requestBody: { content: content(schema, types), ...(required && { required }) } };
}

/** Contents by schema and media types: the operations of a type share theirs. */
const CONTENTS: WeakMap<JsonObject, Map<string, JsonObject>> = new WeakMap();

/** The content of a body: the same schema for each media type. */
export function content(schema: JsonObject, types: readonly string[]): JsonObject {
  const known = CONTENTS.get(schema) ?? new Map<string, JsonObject>();
  CONTENTS.set(schema, known);
  const key = types.join(' ');
  const made = known.get(key) ?? contentOf(schema, types);
  known.set(key, made);
  return made;
}

function contentOf(schema: JsonObject, types: readonly string[]): JsonObject {
  const ofType = { schema };
  return Object.fromEntries(types.map((type) => [type, ofType]));
}

/** Returns the media types of whole objects: custom kinds have no Protobuf, but views of them do. */
function responseTypes({ routes, mediaTypes, vocabulary }: ServedResource): readonly string[] {
  return routes === 'built-in'
    ? mediaTypes.names
    : mediaTypes.names.filter((name) => name !== vocabulary.protobufMediaType);
}

/** Lists of built-in kinds can be watched, too. */
function listTypes(served: ServedResource): readonly string[] {
  const isBuiltIn = served.routes === 'built-in';
  return isBuiltIn ? routeMediaTypes(served.mediaTypes.types, true) : responseTypes(served);
}

type Response = readonly [status: string, response: JsonObject];

function responses(
  { served, parent = served, components }: OperationTarget,
  action: ObjectAction,
): readonly Response[] {
  const response = (
    status: `${keyof typeof DESCRIPTIONS}`,
    schema: JsonObject,
    types: readonly string[] = responseTypes(served),
  ): Response => [status, { description: DESCRIPTIONS[status], content: content(schema, types) }];
  if (action === 'list') return [response('200', components.list(served), listTypes(served))];
  if (action === 'watch' || action === 'watchlist')
    return [response('200', components.watchEvent(markerOf(served)), listTypes(served))];
  if (action === 'deletecollection') return [response('200', components.status())];
  if (action === 'delete') {
    const { returnsDeletedObject, marksBeforeDeletion } = served.definition.strategy;
    const isObject = returnsDeletedObject && !marksBeforeDeletion;
    const deleted = isObject ? components.object(served) : components.status();
    return [response('200', deleted), response('202', deleted)];
  }
  const object = components.object(served);
  const isNeverNew = action === 'get' || (action === 'patch' && parent.definition.dialect === 'custom');
  if (isNeverNew) return [response('200', object)];
  const created = [response('200', object), response('201', object)];
  return action === 'post' ? [...created, response('202', object)] : created;
}
