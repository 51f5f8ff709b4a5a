import { type ApiObject, goQuote, type UserInfo } from '@ashlar/core';

/** Reads the current objects that a token names. */
export interface BoundObjectLookup {
  get(
    resource: 'serviceaccounts' | 'secrets' | 'pods' | 'nodes',
    namespace: string,
    name: string,
  ): Promise<ApiObject | undefined>;
}

/** Maximum clock skew, in seconds. */
export const LEEWAY = 60;

/** An object as a token names it. */
export interface NamedObject {
  readonly name?: string;
  readonly uid?: string;
}

/** The user of an account. */
export function accountUser(namespace: string, name: string, uid: string): UserInfo {
  return {
    name: `system:serviceaccount:${namespace}:${name}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
    ...(uid !== '' && { uid }),
  };
}

/** Returns an object that a token depends on. @throws Error if it is gone, or another one of that name */
export async function requireAlive(
  lookup: BoundObjectLookup,
  resource: Parameters<BoundObjectLookup['get']>[0],
  namespace: string,
  { name = '', uid }: NamedObject,
  now: number,
): Promise<ApiObject> {
  const object = await lookup.get(resource, namespace, name);
  if (!object) throw new Error(`the token is bound to ${resource} ${goQuote(name)}, which is gone`);
  if (uid && object.metadata.uid !== uid)
    throw new Error(`the token is bound to another ${resource} ${goQuote(name)}`);
  const { deletionTimestamp } = object.metadata;
  if (deletionTimestamp && now > Date.parse(deletionTimestamp) + LEEWAY * 1000)
    throw new Error(`the token is bound to ${resource} ${goQuote(name)}, which was deleted`);
  return object;
}
