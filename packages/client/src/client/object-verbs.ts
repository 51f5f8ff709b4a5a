import { type ApiObject, apiVersionOf } from '@ashlar/core';
import type { ClientRequest, Requests } from '../connection/connection.ts';
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
  return {
    get: async (name, { signal, ...query } = {}) =>
      send({ method: 'GET', path: pathOf(place, name), query: { ...query }, signal }),
    update: async (object, { signal, ...query } = {}) =>
      send({
        method: 'PUT',
        path: pathOfObject(place, object),
        query: { ...query },
        body: withType(reference, object),
        signal,
      }),
    patch: async (name, { type, patch }, { signal, ...query } = {}) =>
      send({
        method: 'PATCH',
        path: pathOf(place, name),
        query: { ...query },
        body: patch,
        contentType: PATCH_TYPES[type],
        signal,
      }),
    apply: async (object, { signal, ...query }) =>
      send({
        method: 'PATCH',
        path: pathOfObject(place, object),
        query: { ...query },
        body: withType(reference, object),
        contentType: APPLY_TYPE,
        signal,
      }),
  };
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
