import { createRbacAuthorizer, RbacPolicy, type Role, type RoleBinding, rulesOf } from '@ashlar/authz';
import type { Ambient, Authorizer, MaybePromise } from '@ashlar/core';
import type { ObjectStore } from '@ashlar/storage';
import { type Following, followObjects, type ObjectFollower } from './follow-objects.ts';

/** The RBAC authorizer over a store, and the watches that keep it up to date. */
export interface LiveRbac extends Disposable {
  policy(): MaybePromise<RbacPolicy>;
  /** The authorizer of mode `RBAC`. */
  readonly authorizer: Authorizer;
}

export interface LiveRbacOptions {
  readonly ambient: Ambient;
  readonly onError?: (error: unknown) => void;
}

/** Follows the roles and bindings of a store from the first request on. */
export function createLiveRbac(store: ObjectStore, options: LiveRbacOptions): LiveRbac {
  return new StoreRbac(store, options);
}

class StoreRbac implements LiveRbac {
  readonly authorizer: Authorizer;
  readonly #store: ObjectStore;
  readonly #options: LiveRbacOptions;
  readonly #policy: RbacPolicy;
  readonly #inner: Authorizer;
  #following: readonly Following[] | undefined;
  #synced: Promise<unknown> | undefined;

  constructor(store: ObjectStore, options: LiveRbacOptions) {
    this.#store = store;
    this.#options = options;
    this.#policy = new RbacPolicy(options.ambient.vocabulary);
    this.#inner = createRbacAuthorizer(this.#policy, options.ambient);
    this.authorizer = {
      authorize: (attributes, signal) => {
        const policy = this.policy();
        return policy instanceof Promise
          ? policy.then(() => this.#inner.authorize(attributes, signal))
          : this.#inner.authorize(attributes, signal);
      },
      rules: async (user, namespace) => {
        await this.policy();
        return rulesOf([this.#inner], user, namespace);
      },
    };
  }

  policy(): MaybePromise<RbacPolicy> {
    this.#following ??= this.#follow();
    return this.#synced ? this.#synced.then(() => this.#policy) : this.#policy;
  }

  [Symbol.dispose](): void {
    for (const following of this.#following ?? []) following[Symbol.dispose]();
  }

  #follow(): readonly Following[] {
    const policy = this.#policy;
    const follow = (plural: string, follower: ObjectFollower): Following =>
      followObjects(this.#store, `/${plural}.${policy.group}/`, follower, {
        clock: this.#options.ambient.clock,
        ...(this.#options.onError && { onError: this.#options.onError }),
      });
    const following = [
      follow('clusterroles', {
        set: (object) => policy.setClusterRole(object as Role),
        delete: (object) => policy.deleteClusterRole(object as Role),
      }),
      follow('roles', {
        set: (object) => policy.setRole(object as Role),
        delete: (object) => policy.deleteRole(object as Role),
      }),
      follow('clusterrolebindings', {
        set: (object) => policy.setClusterRoleBinding(object as RoleBinding),
        delete: (object) => policy.deleteClusterRoleBinding(object as RoleBinding),
      }),
      follow('rolebindings', {
        set: (object) => policy.setRoleBinding(object as RoleBinding),
        delete: (object) => policy.deleteRoleBinding(object as RoleBinding),
      }),
    ];
    const waiting = following.flatMap(({ synced }) => (synced instanceof Promise ? [synced] : []));
    if (waiting.length > 0) {
      this.#synced = Promise.all(waiting).then(() => {
        this.#synced = undefined;
      });
    }
    return following;
  }
}
