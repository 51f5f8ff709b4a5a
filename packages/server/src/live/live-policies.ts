import {
  type AdmissionRequest,
  type PolicySource,
  type ValidatingAdmissionPolicy,
  type ValidatingAdmissionPolicyBinding,
  ValidatingPolicies,
} from '@ashlar/admission';
import { groupName } from '@ashlar/core';
import type { ObjectStore } from '@ashlar/storage';
import { LazyFollowing } from './lazy-following.ts';
import type { LiveAdmissionOptions } from './live-webhooks.ts';

/** The stored policies that validate, and the watches that keep them up to date. */
export interface LivePolicies extends PolicySource, Disposable {}

/** Follows policies and their bindings in a store, from the first write on. */
export function createLivePolicies(store: ObjectStore, options: LiveAdmissionOptions): LivePolicies {
  const { vocabulary, clock } = options.ambient;
  const policies = new ValidatingPolicies(vocabulary);
  const group = groupName(vocabulary, 'admissionregistration.');
  const followers = {
    [`/validatingadmissionpolicies.${group}/`]: {
      set: (object: object) => policies.setPolicy(object as ValidatingAdmissionPolicy),
      delete: (object: object) => policies.deletePolicy(object as ValidatingAdmissionPolicy),
    },
    [`/validatingadmissionpolicybindings.${group}/`]: {
      set: (object: object) => policies.setBinding(object as ValidatingAdmissionPolicyBinding),
      delete: (object: object) => policies.deleteBinding(object as ValidatingAdmissionPolicyBinding),
    },
  };
  const following = new LazyFollowing(store, followers, { clock, onError: options.onError });
  return {
    current(request: AdmissionRequest) {
      if (options.isOfStart(request)) return policies.of(request.resource);
      return following.synced()?.then(() => policies.of(request.resource)) ?? policies.of(request.resource);
    },
    [Symbol.dispose]: () => following[Symbol.dispose](),
  };
}
