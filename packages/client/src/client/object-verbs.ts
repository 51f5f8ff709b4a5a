import { type ApiObject, apiVersionOf } from '@ashlar/core';
import type { ClientRequest, Requests } from '../connection/connection.ts';
import {
  checkApplyOptions,
  checkCallOptions,
  checkName,
  checkNamedObject,
  checkPatch,
} from './call-checks.ts';
import { explainedRequests } from './explained-requests.ts';
import type {
  ApplyCallOptions,
  GetOptions,
  ObjectInput,
  Patch,
  ResourceReference,
  UpdateCallOptions,
} from './resource-options.ts';
import { resourcePath } from './resource-path.ts';

/** The verbs of single objects, of a resource or of one of its subresources. Errors are `StatusError`s. */
export interface ObjectVerbs<T extends ApiObject, New extends ApiObject = T> {
  get(name: string, options?: GetOptions): Promise<T>;
  /** Replaces an object; with `metadata.resourceVersion`, only if it has not changed since. */
  update(object: ObjectInput<T> | ObjectInput<New>, options?: UpdateCallOptions): Promise<T>;
  patch(name: string, patch: Patch, options?: UpdateCallOptions): Promise<T>;
  /** Server-side apply: creates the object, or sets the sent fields and owns them. */
  apply(object: ObjectInput<New>, options: ApplyCallOptions): Promise<T>;
}

/**
 * The location of objects: a resource, in a namespace or the entire cluster (empty), and optionally a
 * subresource.
 */
export interface Place {
  readonly connection: Requests;
  readonly reference: ResourceReference;
  readonly namespace: string;
  readonly below: readonly string[];
}

const PATCH_TYPES = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  json: 'application/json-patch+json',
} as const;

const APPLY_TYPE = 'application/apply-patch+yaml';

/** The verbs of the objects at a location. */
export function objectVerbs<T extends ApiObject, New extends ApiObject = T>(
  place: Place,
): ObjectVerbs<T, New> {
  const { reference } = place;
  const connection = requestsOf(place);
  const send = (request: ClientRequest): Promise<T> => connection.value(request) as Promise<T>;
  const callee = calleeOf(place);
  return {
    get: async (name, options) => {
      checkName(`${callee}.get`, name);
      checkCallOptions(`${callee}.get`, 'get', options);
      const { signal, ...query } = options ?? {};
      return send({ method: 'GET', path: pathOf(place, name), query, signal });
    },
    update: async (object, options) => {
      checkNamedObject(`${callee}.update`, object);
      checkCallOptions(`${callee}.update`, 'update', options);
      const { signal, ...query } = options ?? {};
      const body = withType(reference, object);
      return send({ method: 'PUT', path: pathOfObject(place, object), query: { ...query }, body, signal });
    },
    patch: async (name, patch, options) => {
      checkName(`${callee}.patch`, name);
      checkPatch(`${callee}.patch`, patch);
      checkCallOptions(`${callee}.patch`, 'patch', options);
      const { signal, ...query } = options ?? {};
      const contentType = PATCH_TYPES[patch.type];
      const path = pathOf(place, name);
      return send({ method: 'PATCH', path, query: { ...query }, body: patch.patch, contentType, signal });
    },
    apply: async (object, options) => {
      checkNamedObject(`${callee}.apply`, object);
      checkApplyOptions(`${callee}.apply`, options);
      const { signal, ...query } = options;
      const body = withType(reference, object);
      const path = pathOfObject(place, object);
      return send({ method: 'PATCH', path, query: { ...query }, body, contentType: APPLY_TYPE, signal });
    },
  };
}

/** What errors call a location: `pods`, `pods.status`. */
export function calleeOf({ reference, below }: Place): string {
  return [reference.resource, ...below].join('.');
}

/** The requests of a location, which explain what is not served. */
export function requestsOf({ connection, reference, namespace, below }: Place): Requests {
  return explainedRequests({ connection, reference, namespace, subresource: below[0] });
}

/** The path of an object, or of its subresource. */
export function pathOf({ reference, namespace, below }: Place, name: string): string {
  return resourcePath(reference, namespace, name, ...below);
}

/** An object determines its namespace, unless the location is bound to one. */
function pathOfObject(place: Place, { metadata }: ObjectInput<ApiObject>): string {
  const namespace = place.namespace || (metadata.namespace ?? '');
  return pathOf({ ...place, namespace }, metadata.name ?? '');
}

/** The object with its type, if that is known and missing. */
export function withType(reference: ResourceReference, object: object): object {
  const { kind } = reference;
  return kind === undefined ? object : { apiVersion: apiVersionOf(reference), kind, ...object };
}
