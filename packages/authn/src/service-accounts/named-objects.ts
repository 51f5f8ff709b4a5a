import { type ApiObject, StatusError, type UserInfo } from '@ashlar/core';

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

/** What a token may be bound to besides its account: where it is stored, and the words for it in errors. */
const BOUND = {
  secret: { resource: 'secrets', kind: 'secret', claim: 'service account secret ref claim' },
  pod: { resource: 'pods', kind: 'pod', claim: 'service account pod ref claim' },
  node: { resource: 'nodes', kind: 'node', claim: 'service account node ref claim' },
} as const;

/** Finds whether the objects that a token depends on still exist (semantics/access#service-accounts). */
export class NamedObjects {
  readonly #lookup: BoundObjectLookup;
  readonly #now: number;

  /** @param now milliseconds since 1970 */
  constructor(lookup: BoundObjectLookup, now: number) {
    this.#lookup = lookup;
    this.#now = now;
  }

  /** Returns the account of a token. @throws Error if it is gone, or another one of that name */
  async requireAccount(namespace: string, { name = '', uid = '' }: NamedObject): Promise<ApiObject> {
    const account = await this.#lookup.get('serviceaccounts', namespace, name);
    if (!account) throw StatusError.notFound({ group: '', resource: 'serviceaccounts' }, name);
    const { metadata } = account;
    if (metadata.uid !== uid)
      throw new Error(`service account UID (${metadata.uid}) does not match claim (${uid})`);
    if (this.#wasDeleted(account)) throw new Error(`service account ${namespace}/${name} has been deleted`);
    return account;
  }

  /** @throws Error if an object that a token is bound to is gone, or another one of that name */
  async requireBound(what: keyof typeof BOUND, namespace: string, named: NamedObject): Promise<void> {
    const { resource, kind, claim } = BOUND[what];
    const { name = '', uid = '' } = named;
    const object = await this.#lookup.get(resource, namespace, name);
    if (object && object.metadata.uid !== uid)
      throw new Error(`${kind} UID (${object.metadata.uid}) does not match ${claim} (${uid})`);
    if (!object || this.#wasDeleted(object)) throw new Error('service account token has been invalidated');
  }

  #wasDeleted({ metadata: { deletionTimestamp } }: ApiObject): boolean {
    return deletionTimestamp !== undefined && this.#now > Date.parse(deletionTimestamp) + LEEWAY * 1000;
  }
}
