import { type AdmissionPlugin, type AdmissionRequest, forbiddenByAdmission } from '@ashlar/admission';
import { type ApiObject, joinedTexts, runInSlices, type Steps, type Vocabulary } from '@ashlar/core';
import type { Pod, PodSpec } from '../core/pod-types.ts';
import type { Container, ResourceList, ResourceRequirements } from '../pods/container-types.ts';
import type { LimitItem, LimitRange } from '../resources/quota-types.ts';
import { LimitChecks } from './limit-checks.ts';
import { type Demand, limitProblems } from './limit-constraints.ts';
import { withDefaults } from './limit-defaults.ts';
import { type Amounts, addTo, podResources } from './pod-resources.ts';
import type { WorkloadAdmissionOptions } from './stored-classes.ts';

interface Claim extends ApiObject {
  readonly spec?: { readonly resources?: ResourceRequirements };
}

/** Gives containers the requests and limits of their namespace, and refuses pods and claims that exceed its limits (semantics/admission). */
export function createLimitRanger(options: WorkloadAdmissionOptions): AdmissionPlugin {
  const { vocabulary, limitRanges, ambient } = options;
  return {
    name: 'LimitRanger',
    handles: isLimited,
    async admit(request) {
      if (request.resource.resource !== 'pods') return undefined;
      const ranges = await limitRanges(request);
      return ranges.length === 0
        ? (request.object as Pod)
        : runInSlices(defaulted(request, ranges, vocabulary), ambient);
    },
    async validate(request) {
      const ranges = await limitRanges(request);
      if (ranges.length > 0) await runInSlices(requireLimits(request, ranges), ambient);
    },
  };
}

function* defaulted(
  request: AdmissionRequest,
  ranges: readonly LimitRange[],
  vocabulary: Vocabulary,
): Steps<Pod> {
  const checks = new LimitChecks(request);
  let pod = request.object as Pod;
  for (const range of ranges) pod = yield* withDefaults(pod, range, vocabulary, checks);
  return pod;
}

/** @throws StatusError 403 for the first range that refuses an object */
function* requireLimits(request: AdmissionRequest, ranges: readonly LimitRange[]): Steps<void> {
  const checks = new LimitChecks(request);
  const demands = new Demands(request);
  for (const range of ranges) {
    const problems: string[] = [];
    for (const item of range.spec?.limits ?? [])
      for (const demand of demands.of(item))
        for (const problem of yield* limitProblems(item, demand, checks)) problems.push(problem);
    if (problems.length > 0) throw forbiddenByAdmission(request, joinedTexts(problems));
    yield;
  }
}

/** Containers of a pod do not change later, but by the subresource `resize`. */
function isLimited({ resource, subresource, operation, oldObject }: AdmissionRequest): boolean {
  if (resource.group !== '' || (operation !== 'CREATE' && operation !== 'UPDATE')) return false;
  if (oldObject?.metadata.deletionTimestamp !== undefined) return false;
  if (resource.resource === 'pods')
    return operation === 'CREATE' ? subresource === '' : subresource === 'resize';
  return resource.resource === 'persistentvolumeclaims' && subresource === '';
}

/** What the object of a request, or each of its containers, needs; found out once. */
class Demands {
  readonly #request: AdmissionRequest;
  readonly #known: Map<string, readonly Demand[]> = new Map();

  constructor(request: AdmissionRequest) {
    this.#request = request;
  }

  /** Returns what an item of a limit range is compared with. */
  of({ type = '' }: LimitItem): readonly Demand[] {
    const known = this.#known.get(type);
    if (known) return known;
    const { resource, object } = this.#request;
    const demands =
      resource.resource === 'pods'
        ? demandsOfPod(object as Pod, type)
        : demandsOfClaim(object as Claim, type);
    this.#known.set(type, demands);
    return demands;
  }
}

const demandsOfClaim = ({ spec }: Claim, type: string): readonly Demand[] =>
  type === 'PersistentVolumeClaim' ? [{ requests: amounts(spec?.resources?.requests) }] : [];

function demandsOfPod({ spec = {} }: Pod, type: string): readonly Demand[] {
  if (type === 'Container') return [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(demandOf);
  return type === 'Pod' ? [demandOfPod(spec)] : [];
}

const demandOf = ({ resources = {} }: Container): Demand => ({
  requests: amounts(resources.requests),
  limits: amounts(resources.limits),
});

const demandOfPod = (spec: PodSpec): Demand => ({
  requests: podResources(spec, 'requests'),
  limits: podResources(spec, 'limits'),
});

function amounts(list: ResourceList | undefined): Amounts {
  const all = new Map();
  addTo(all, list);
  return all;
}
