import { routeMediaTypes } from '@ashlar/codec';
import type { OpenApiComponents } from './openapi-components.ts';
import type { ServedResource } from './served-resource.ts';

/** One way to reach a resource, for which an operation is described. */
export interface OperationTarget {
  readonly served: ServedResource;
  readonly components: OpenApiComponents;
  readonly namespaced: boolean;
  readonly subresource?: string;
  /** Whose subresource of another kind it is; names operations. */
  readonly parent?: ServedResource;
}

type Action = 'list' | 'get' | 'post' | 'put' | 'patch' | 'delete' | 'deletecollection';

/** How an operation of that action is called (semantics L3). */
const VERBS: Readonly<Record<Action, string>> = {
  list: 'list',
  get: 'read',
  post: 'create',
  put: 'replace',
  patch: 'patch',
  delete: 'delete',
  deletecollection: 'delete',
};

/** The description of one operation. */
export function operation(target: OperationTarget, action: Action): object {
  const { served } = target;
  const { definition, version, vocabulary } = served;
  return {
    tags: [tagOf(target.parent ?? served)],
    operationId: operationId(target, action),
    ...parameters(action),
    ...requestBody(target, action),
    responses: responses(target, action),
    [`${vocabulary.extensionPrefix}action`]: action,
    [`${vocabulary.extensionPrefix}group-version-kind`]: {
      group: definition.group,
      version: version.name,
      kind: definition.names.kind,
    },
  };
}

function tagOf({ definition, version }: ServedResource): string {
  return `${definition.group === '' ? 'core' : camelCase(definition.group)}_${version.name}`;
}

function operationId(
  { served, parent = served, namespaced, subresource }: OperationTarget,
  action: Action,
): string {
  const { definition, version } = parent;
  const group = definition.group === '' ? 'Core' : capital(camelCase(definition.group));
  const collection = action === 'deletecollection' ? 'Collection' : '';
  const everywhere = action === 'list' && served.namespaced && !namespaced ? 'ForAllNamespaces' : '';
  return [
    VERBS[action],
    group,
    capital(version.name),
    collection,
    namespaced ? 'Namespaced' : '',
    definition.names.kind,
    capital(subresource ?? ''),
    everywhere,
  ].join('');
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const camelCase = (group: string): string =>
  group
    .split(/[.-]/)
    .map((part, i) => (i === 0 ? part : capital(part)))
    .join('');

const LIST_PARAMETERS: Readonly<Record<string, string>> = {
  allowWatchBookmarks: 'boolean',
  continue: 'string',
  fieldSelector: 'string',
  labelSelector: 'string',
  limit: 'integer',
  resourceVersion: 'string',
  resourceVersionMatch: 'string',
  sendInitialEvents: 'boolean',
  timeoutSeconds: 'integer',
  watch: 'boolean',
};
const WRITE_PARAMETERS: Readonly<Record<string, string>> = {
  dryRun: 'string',
  fieldManager: 'string',
  fieldValidation: 'string',
};
const DELETE_PARAMETERS: Readonly<Record<string, string>> = {
  dryRun: 'string',
  gracePeriodSeconds: 'integer',
  ignoreStoreReadErrorWithClusterBreakingPotential: 'boolean',
  orphanDependents: 'boolean',
  propagationPolicy: 'string',
};
const PARAMETERS: Readonly<Record<Action, Readonly<Record<string, string>>>> = {
  list: LIST_PARAMETERS,
  get: {},
  post: WRITE_PARAMETERS,
  put: WRITE_PARAMETERS,
  patch: { ...WRITE_PARAMETERS, force: 'boolean' },
  delete: DELETE_PARAMETERS,
  deletecollection: { ...LIST_PARAMETERS, ...DELETE_PARAMETERS },
};

/** Written out one by one: clients look for them here and follow no reference (kubectl wire, 3). */
function parameters(action: Action): object {
  const named = Object.entries(PARAMETERS[action]).sort(([a], [b]) => (a < b ? -1 : 1));
  if (named.length === 0) return {};
  return { parameters: named.map(([name, type]) => queryParameter(name, type)) };
}

export function queryParameter(name: string, type: string): object {
  return { name, in: 'query', schema: { type, uniqueItems: true } };
}

function requestBody({ served, components }: OperationTarget, action: Action): object {
  if (action === 'post' || action === 'put') return body(components.object(served), ['*/*']);
  if (action === 'delete' || action === 'deletecollection')
    return body(components.deleteOptions(), ['*/*'], false);
  return action === 'patch' ? body({ type: 'object' }, served.patchTypes) : {};
}

function body(schema: object, types: readonly string[], required = true): object {
  return { requestBody: { content: content(schema, types), ...(required && { required }) } };
}

const content = (schema: object, types: readonly string[]): object =>
  Object.fromEntries(types.map((type) => [type, { schema }]));

/** Lists of built-in kinds can be watched, too. */
function listTypes({ definition, mediaTypes }: ServedResource): readonly string[] {
  return routeMediaTypes(mediaTypes.types, definition.dialect === 'built-in');
}

function responses({ served, components }: OperationTarget, action: Action): object {
  const ok = (schema: object, types: readonly string[] = served.mediaTypes.names): object => ({
    description: 'OK',
    content: content(schema, types),
  });
  if (action === 'list') return { 200: ok(components.list(served), listTypes(served)) };
  if (action === 'deletecollection') return { 200: ok(components.status()) };
  if (action === 'delete') {
    const schema = served.definition.strategy.returnsDeletedObject
      ? components.object(served)
      : components.status();
    return { 200: ok(schema), 202: { ...ok(schema), description: 'Accepted' } };
  }
  const object = components.object(served);
  if (action === 'get') return { 200: ok(object) };
  const created = { 201: { ...ok(object), description: 'Created' } };
  return action === 'post'
    ? { 200: ok(object), ...created, 202: { ...ok(object), description: 'Accepted' } }
    : { 200: ok(object), ...created };
}
