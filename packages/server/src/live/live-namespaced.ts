import type { AdmissionRequest } from '@ashlar/admission';
import { type ApiObject, andThen, type MaybePromise } from '@ashlar/core';
import type { ObjectStore } from '@ashlar/storage';
import { LazyFollowing } from './lazy-following.ts';
import type { LiveAdmissionOptions } from './live-webhooks.ts';

const NONE: readonly ApiObject[] = [];

/** The stored objects of a type by their namespace, followed from the first request on. */
export class LiveNamespaced implements Disposable {
  readonly #options: LiveAdmissionOptions;
  readonly #following: LazyFollowing;
  readonly #byNamespace: Map<string, Map<string, ApiObject>> = new Map();

  /** @param prefix of the keys of the type, such as `/limitranges/` */
  constructor(store: ObjectStore, prefix: string, options: LiveAdmissionOptions) {
    const { ambient, onError } = options;
    const follower = {
      set: (object: ApiObject) => this.#set(object),
      delete: (object: ApiObject) => this.#delete(object),
    };
    this.#options = options;
    this.#following = new LazyFollowing(store, { [prefix]: follower }, { clock: ambient.clock, onError });
  }

  /** Returns the objects in the namespace of a request. */
  of(request: AdmissionRequest): MaybePromise<readonly ApiObject[]> {
    if (this.#options.isOfStart(request)) return this.#in(request.namespace);
    return andThen(this.#following.synced(), () => this.#in(request.namespace));
  }

  [Symbol.dispose](): void {
    this.#following[Symbol.dispose]();
  }

  #in(namespace: string): readonly ApiObject[] {
    const found = this.#byNamespace.get(namespace);
    return found ? [...found.values()] : NONE;
  }

  #set(object: ApiObject): void {
    const { namespace = '', name = '' } = object.metadata;
    const found = this.#byNamespace.get(namespace) ?? new Map();
    this.#byNamespace.set(namespace, found.set(name, object));
  }

  #delete({ metadata: { namespace = '', name = '' } }: ApiObject): void {
    const found = this.#byNamespace.get(namespace);
    found?.delete(name);
    if (found?.size === 0) this.#byNamespace.delete(namespace);
  }
}
