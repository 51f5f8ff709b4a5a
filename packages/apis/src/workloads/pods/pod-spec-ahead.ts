import { type ApiObject, doneSteps, type JsonObject, type Steps } from '@ashlar/core';
import type { Strategy } from '@ashlar/registry';
import type { PodSpec } from '../core/pod-types.ts';
import { affinityAheadSteps } from './affinity.ts';
import { aliasNames, searchDomains } from './name-resolution.ts';
import { spreadKeys } from './topology-spread.ts';

type Validations = Pick<Strategy, 'validate' | 'validateSteps' | 'validateUpdate' | 'validateUpdateSteps'>;

/** The validations of a kind with a pod spec at a path, each after that of long lists of the spec, which pauses. */
export function validatedPodSpecs(rules: Validations, path: readonly string[]): Validations {
  const { validate, validateSteps, validateUpdate, validateUpdateSteps } = rules;
  return {
    *validateSteps(object, stored) {
      yield* aheadSteps(object, path);
      return yield* validateSteps?.(object, stored) ?? doneSteps(validate?.(object, stored) ?? []);
    },
    *validateUpdateSteps(object, stored) {
      yield* aheadSteps(object, path);
      return yield* validateUpdateSteps?.(object, stored) ??
        doneSteps(validateUpdate?.(object, stored) ?? []);
    },
  };
}

function aheadSteps(object: ApiObject, path: readonly string[]): Steps<void> {
  let part: JsonObject | undefined = object as unknown as JsonObject;
  for (const name of path) part = part?.[name] as JsonObject | undefined;
  return podSpecAheadSteps((part ?? {}) as PodSpec);
}

/** Constraints and aliases between pauses. */
const STRIDE = 1024;

/** Validates long lists of a pod spec with pauses: `podSpecErrors` then knows their errors. */
function* podSpecAheadSteps(spec: PodSpec): Steps<void> {
  yield* affinityAheadSteps(spec.affinity);
  yield* searchDomains.aheadSteps(spec.dnsConfig?.searches);
  for (const [index, { hostnames }] of (spec.hostAliases ?? []).entries()) {
    yield* aliasNames.aheadSteps(hostnames);
    if (index % STRIDE === STRIDE - 1) yield;
  }
  for (const [index, { matchLabelKeys }] of (spec.topologySpreadConstraints ?? []).entries()) {
    yield* spreadKeys.aheadSteps(matchLabelKeys);
    if (index % STRIDE === STRIDE - 1) yield;
  }
}
