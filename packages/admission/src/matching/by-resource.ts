import { type Ambient, type GroupResource, type MaybePromise, runInSlices, type Steps } from '@ashlar/core';

/** What concerns requests, by their resource: it is found once for each, with pauses, until something changes. */
export class ByResource<T> {
  readonly #find: (resource: GroupResource) => Steps<readonly T[]>;
  readonly #ambient: Pick<Ambient, 'clock' | 'turns'> | undefined;
  /** By group and resource. */
  #found: Map<string, Map<string, MaybePromise<readonly T[]>>> = new Map();

  /** @param ambient without it, all is found at once */
  constructor(
    find: (resource: GroupResource) => Steps<readonly T[]>,
    ambient: Pick<Ambient, 'clock' | 'turns'> | undefined,
  ) {
    this.#find = find;
    this.#ambient = ambient;
  }

  of({ group, resource }: GroupResource): MaybePromise<readonly T[]> {
    return this.#found.get(group)?.get(resource) ?? this.#search({ group, resource });
  }

  /** Something has changed. Whoever waits for what is being found gets the state before. */
  clear(): void {
    this.#found = new Map();
  }

  #search({ group, resource }: GroupResource): MaybePromise<readonly T[]> {
    const all = this.#found;
    const ofGroup = all.get(group) ?? new Map<string, MaybePromise<readonly T[]>>();
    all.set(group, ofGroup);
    const found = runInSlices(this.#find({ group, resource }), this.#ambient);
    ofGroup.set(resource, found);
    if (found instanceof Promise)
      found.then(
        (items) => ofGroup.set(resource, items),
        () => ofGroup.delete(resource),
      );
    return found;
  }
}
