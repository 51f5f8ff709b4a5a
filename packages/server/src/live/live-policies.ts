import {
  type AdmissionRequest,
  type BoundPolicies,
  MutatingPolicies,
  type Policy,
  type PolicyBinding,
  type PolicySource,
  type PolicySpec,
  ValidatingPolicies,
} from '@ashlar/admission';
import { groupName } from '@ashlar/core';
import type { ObjectStore } from '@ashlar/storage';
import { LazyFollowing } from './lazy-following.ts';
import type { LiveAdmissionOptions } from './live-webhooks.ts';

type CompiledBy<T> = T extends BoundPolicies<infer _, infer C> ? C : never;

/** The stored policies, and the watches that keep them up to date. */
export interface LivePolicies extends Disposable {
  readonly mutating: PolicySource<CompiledBy<MutatingPolicies>>;
  readonly validating: PolicySource<CompiledBy<ValidatingPolicies>>;
}

/** Follows policies and their bindings in a store, from the first write on. */
export function createLivePolicies(store: ObjectStore, options: LiveAdmissionOptions): LivePolicies {
  const { vocabulary } = options.ambient;
  const mutating = new FollowedPolicies(
    store,
    'mutating',
    new MutatingPolicies(vocabulary, options.ambient),
    options,
  );
  const validating = new FollowedPolicies(
    store,
    'validating',
    new ValidatingPolicies(vocabulary, options.ambient),
    options,
  );
  return {
    mutating,
    validating,
    [Symbol.dispose]() {
      mutating[Symbol.dispose]();
      validating[Symbol.dispose]();
    },
  };
}

class FollowedPolicies<S extends PolicySpec, C> implements PolicySource<C>, Disposable {
  readonly #options: LiveAdmissionOptions;
  readonly #policies: BoundPolicies<S, C>;
  readonly #following: LazyFollowing;

  constructor(
    store: ObjectStore,
    kind: 'mutating' | 'validating',
    policies: BoundPolicies<S, C>,
    options: LiveAdmissionOptions,
  ) {
    const { vocabulary, clock } = options.ambient;
    const group = groupName(vocabulary, 'admissionregistration.');
    this.#options = options;
    this.#policies = policies;
    const followers = {
      [`/${kind}admissionpolicies.${group}/`]: {
        set: (object: object) => policies.setPolicy(object as Policy<S>),
        delete: (object: object) => policies.deletePolicy(object as Policy<S>),
      },
      [`/${kind}admissionpolicybindings.${group}/`]: {
        set: (object: object) => policies.setBinding(object as PolicyBinding),
        delete: (object: object) => policies.deleteBinding(object as PolicyBinding),
      },
    };
    this.#following = new LazyFollowing(store, followers, { clock, onError: options.onError });
  }

  current(request: AdmissionRequest): ReturnType<PolicySource<C>['current']> {
    const found = () => this.#policies.of(request.resource);
    if (this.#options.isOfStart(request)) return found();
    return this.#following.synced()?.then(found) ?? found();
  }

  [Symbol.dispose](): void {
    this.#following[Symbol.dispose]();
  }
}
