import type { Client, ResourceClient } from '@ashlar/client';
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER, StatusError } from '@ashlar/core';
import type { OwnedType, Ownership } from './ownership.ts';

/** The result of a write: `conflict` if the object has changed since it was read. */
export type WriteOutcome = 'done' | 'conflict';

/** The writes of the garbage collector to one object; each succeeds only if the object is as it was read. */
export class CollectedObject {
  readonly #object: Ownership;
  readonly #resource: ResourceClient;

  constructor(client: Client, type: OwnedType, object: Ownership) {
    this.#object = object;
    const resource = client.resource(type.reference);
    this.#resource = object.namespace === '' ? resource : resource.namespace(object.namespace);
  }

  /** Deletes it; by default with the propagation policy of an earlier deletion. */
  delete(
    propagationPolicy: 'Foreground' | 'Background' | 'Orphan' = this.#propagation(),
  ): Promise<WriteOutcome> {
    const { name, uid, resourceVersion } = this.#object;
    return unlessChanged(() =>
      this.#resource.delete(name, { propagationPolicy, preconditions: { uid, resourceVersion } }),
    );
  }

  /** Removes its references to these owners. */
  removeOwners(uids: ReadonlySet<string>): Promise<WriteOutcome> {
    const remaining = this.#object.owners.filter(({ uid }) => !uids.has(uid));
    if (remaining.length === this.#object.owners.length) return Promise.resolve('done');
    return this.#patch({ ownerReferences: remaining.length > 0 ? remaining : null });
  }

  /** Makes its references not block the deletion of its owners. */
  unblockOwners(): Promise<WriteOutcome> {
    const { owners } = this.#object;
    if (!owners.some(({ blockOwnerDeletion }) => blockOwnerDeletion)) return Promise.resolve('done');
    return this.#patch({
      ownerReferences: owners.map((owner) =>
        owner.blockOwnerDeletion ? { ...owner, blockOwnerDeletion: false } : owner,
      ),
    });
  }

  /** Removes the finalizer that the collector has processed. */
  removeFinalizer(finalizer: typeof FOREGROUND_FINALIZER | typeof ORPHAN_FINALIZER): Promise<WriteOutcome> {
    const { finalizers } = this.#object;
    if (!finalizers.includes(finalizer)) return Promise.resolve('done');
    return this.#patch({ finalizers: finalizers.filter((name) => name !== finalizer) });
  }

  #patch(metadata: object): Promise<WriteOutcome> {
    const { name, uid, resourceVersion } = this.#object;
    const patch = { metadata: { uid, resourceVersion, ...metadata } };
    return unlessChanged(() => this.#resource.patch(name, { type: 'merge', patch }));
  }

  #propagation(): 'Foreground' | 'Background' | 'Orphan' {
    if (this.#object.finalizers.includes(ORPHAN_FINALIZER)) return 'Orphan';
    return this.#object.finalizers.includes(FOREGROUND_FINALIZER) ? 'Foreground' : 'Background';
  }
}

/** A deleted object needs no more writes. */
async function unlessChanged(write: () => Promise<unknown>): Promise<WriteOutcome> {
  try {
    await write();
    return 'done';
  } catch (error) {
    if (StatusError.is(error, 'NotFound')) return 'done';
    if (StatusError.is(error, 'Conflict')) return 'conflict';
    throw error;
  }
}
