import type { Steps } from '@ashlar/core';
import type { PodSpec } from '../core/pod-types.ts';
import { affinityAheadSteps } from './affinity.ts';
import { aliasNames, searchDomains } from './name-resolution.ts';
import { spreadKeys } from './topology-spread.ts';

/** Constraints and aliases between pauses. */
const STRIDE = 1024;

/** Validates long lists of a pod spec with pauses: `podSpecErrors` then knows their errors. */
export function* podSpecAheadSteps(spec: PodSpec): Steps<void> {
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
