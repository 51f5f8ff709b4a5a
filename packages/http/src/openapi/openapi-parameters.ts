import type { JsonObject, Schema } from '@ashlar/core';
import type { ResourceDialect } from '@ashlar/registry';

/** The action of an operation (semantics/discovery#openapi). */
export type Action =
  | 'list'
  | 'get'
  | 'post'
  | 'put'
  | 'patch'
  | 'delete'
  | 'deletecollection'
  | 'watch'
  | 'watchlist'
  | 'connect';

/** The location of a parameter. */
type Place = 'path' | 'query';
type ParameterTypes = Readonly<Record<string, string>>;

const LIST: ParameterTypes = {
  continue: 'string',
  fieldSelector: 'string',
  labelSelector: 'string',
  limit: 'integer',
  resourceVersion: 'string',
  resourceVersionMatch: 'string',
  sendInitialEvents: 'boolean',
  timeoutSeconds: 'integer',
};
const LIST_OR_WATCH: ParameterTypes = { ...LIST, allowWatchBookmarks: 'boolean', watch: 'boolean' };
const WRITE: ParameterTypes = { dryRun: 'string', fieldManager: 'string', fieldValidation: 'string' };
const DELETE: ParameterTypes = {
  dryRun: 'string',
  gracePeriodSeconds: 'integer',
  ignoreStoreReadErrorWithClusterBreakingPotential: 'boolean',
  orphanDependents: 'boolean',
  propagationPolicy: 'string',
};
const BUILT_IN: Readonly<Record<Action, ParameterTypes>> = {
  list: LIST_OR_WATCH,
  get: {},
  post: WRITE,
  put: WRITE,
  patch: { ...WRITE, force: 'boolean' },
  delete: DELETE,
  deletecollection: { ...LIST, ...DELETE },
  watch: LIST_OR_WATCH,
  watchlist: LIST_OR_WATCH,
  connect: {},
};
const CUSTOM: Readonly<Record<Action, ParameterTypes>> = {
  ...BUILT_IN,
  get: { resourceVersion: 'string' },
  deletecollection: LIST_OR_WATCH,
};

/** A parameter, written out: clients look for it in place and follow no reference (kubectl wire, 3). */
export interface Parameter extends JsonObject {
  readonly name: string;
  readonly in: Place;
}

function parameter(name: string, type: string, place: Place): Parameter {
  return {
    name,
    in: place,
    ...(place === 'path' && { required: true }),
    schema: { type, uniqueItems: true },
  };
}

type ActionParameters = ReadonlyMap<string, readonly Parameter[]>;

const byAction = (types: Readonly<Record<Action, ParameterTypes>>): ActionParameters =>
  new Map(Object.entries(types).map(([action, of]) => [action, queryParameters(of)]));

const queryParameters = (types: ParameterTypes): readonly Parameter[] =>
  Object.entries(types).map(([name, type]) => parameter(name, type, 'query'));

// documents of thousands of types share them
const PARAMETERS: Readonly<Record<ResourceDialect, ActionParameters>> = {
  'built-in': byAction(BUILT_IN),
  custom: byAction(CUSTOM),
};
const PRETTY = parameter('pretty', 'string', 'query');
const SEGMENTS: ReadonlyMap<string, Parameter> = new Map(
  ['name', 'namespace'].map((name) => [name, parameter(name, 'string', 'path')]),
);

/** Returns the query parameters of an operation without `pretty`, which all support. */
export const actionParameters = (action: Action, dialect: ResourceDialect): readonly Parameter[] =>
  PARAMETERS[dialect].get(action) ?? [];

/** Returns the parameters of every operation of a path. @param inPath names of the variable segments */
export function pathParameters(inPath: readonly string[]): readonly Parameter[] {
  return [...segmentParameters(inPath), PRETTY];
}

/** Returns the parameters of variable segments. */
export function segmentParameters(inPath: readonly string[]): readonly Parameter[] {
  return inPath.map((name) => SEGMENTS.get(name) ?? parameter(name, 'string', 'path'));
}

/** Returns the query parameters that set the fields of a schema; lists may be given several times. */
export function fieldParameters({ properties = {} }: Schema): readonly Parameter[] {
  return Object.entries(properties).map(([name, { type = 'string', items }]) =>
    parameter(name, items?.type ?? type, 'query'),
  );
}

/** Sorted by name and place, as in documents. */
export function sorted(parameters: readonly Parameter[]): readonly Parameter[] {
  const key = ({ name, in: place }: Parameter): string => `${name} ${place}`;
  return parameters.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}
