import { type ApiObject, orchVocabulary } from '@ashlar/core';
import type { AdmissionPlugin, AdmissionRequest } from '../admission-request.ts';
import { createMutatingPolicies, type MutationEvaluation } from './mutating-policies.ts';
import { mutatingPoliciesOf } from './policies-of-manifests.ts';
import { ADMINISTRATOR, matchingAmong, type PolicyCircumstances } from './policy-circumstances.ts';

/** Mutating policies that are tried without being stored. */
export interface MutatingTrial extends PolicyCircumstances {
  /** MutatingAdmissionPolicies and their bindings, as they are written in manifests. */
  readonly policies: readonly ApiObject[];
  /** Whether evaluations have the value of each expression; default false. */
  readonly explain?: boolean;
  /** Called with each evaluation. */
  readonly observe?: (evaluation: MutationEvaluation) => void;
}

/**
 * Creates a plugin that changes what dry runs of a server would store as the given mutating policies say, with the results and costs of
 * a server that stores them (semantics/admission#mutatingadmissionpolicy). Other writes are left alone, so that they can prepare the trial.
 * @throws TypeError for a policy or a binding that no server would store, and for other objects among them
 * @example
 * const server = createApiServer({ admission: [createMutatingTrial({ policies: [policy, binding] })] });
 */
export function createMutatingTrial(trial: MutatingTrial): AdmissionPlugin {
  const { vocabulary = orchVocabulary, user = ADMINISTRATOR, explain = false, observe } = trial;
  const source = mutatingPoliciesOf(trial.policies, vocabulary);
  const plugin = createMutatingPolicies({
    ...matchingAmong(trial),
    source: { current: ({ resource }) => source.of(resource) },
    ...{ explains: explain, observe },
  });
  const tried = (request: AdmissionRequest): AdmissionRequest => ({ ...request, dryRun: false, user });
  return {
    name: 'MutatingAdmissionPolicyTrial',
    handles: (request) => request.dryRun && plugin.handles(tried(request)),
    admit: (request, rounds) => plugin.admit?.(tried(request), rounds),
  };
}
