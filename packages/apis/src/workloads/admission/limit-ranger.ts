import { type AdmissionPlugin, type AdmissionRequest, forbiddenByAdmission } from '@ashlar/admission';
import { type ApiObject, compareUtf8, type Vocabulary } from '@ashlar/core';
import type { Pod, PodSpec } from '../core/pod-types.ts';
import type { Container, ResourceList, ResourceRequirements } from '../pods/container-types.ts';
import type { LimitItem, LimitRange } from '../resources/quota-types.ts';
import { aggregateText } from './aggregate-text.ts';
import { type Demand, limitProblems } from './limit-constraints.ts';
import { type Amounts, addTo, podResources } from './pod-resources.ts';
import type { WorkloadAdmissionOptions } from './stored-classes.ts';

interface Claim extends ApiObject {
  readonly spec?: { readonly resources?: ResourceRequirements };
}

/** Gives containers the requests and limits of their namespace, and refuses pods and claims that exceed its limits (semantics/admission). */
export function createLimitRanger({ vocabulary, limitRanges }: WorkloadAdmissionOptions): AdmissionPlugin {
  return {
    name: 'LimitRanger',
    handles: isLimited,
    async admit(request) {
      if (request.resource.resource !== 'pods') return undefined;
      let pod = request.object as Pod;
      for (const range of await limitRanges(request)) pod = withDefaults(pod, range, vocabulary);
      return pod;
    },
    async validate(request) {
      for (const range of await limitRanges(request)) {
        const problems = problemsOf(range, request);
        if (problems.length > 0) throw forbiddenByAdmission(request, aggregateText(problems));
      }
    },
  };
}

/** Containers of a pod do not change later, but by the subresource `resize`. */
function isLimited({ resource, subresource, operation, oldObject }: AdmissionRequest): boolean {
  if (resource.group !== '' || (operation !== 'CREATE' && operation !== 'UPDATE')) return false;
  if (oldObject?.metadata.deletionTimestamp !== undefined) return false;
  if (resource.resource === 'pods')
    return operation === 'CREATE' ? subresource === '' : subresource === 'resize';
  return resource.resource === 'persistentvolumeclaims' && subresource === '';
}

const itemsOf = ({ spec }: LimitRange, type: string): readonly LimitItem[] =>
  (spec?.limits ?? []).filter((item) => item.type === type);

function withDefaults(pod: Pod, range: LimitRange, { labelDomain }: Vocabulary): Pod {
  const items = itemsOf(range, 'Container');
  const limits: ResourceList = Object.assign({}, ...items.map((item) => item.default));
  const requests: ResourceList = Object.assign({}, ...items.map((item) => item.defaultRequest));
  const set: string[] = [];
  const complete =
    (kind: string) =>
    (container: Container): Container =>
      withAmounts(container, { limits, requests }, (what) =>
        set.push(`${what} for ${kind} ${container.name}`),
      );
  const spec: PodSpec = {
    ...pod.spec,
    ...(pod.spec?.containers && { containers: pod.spec.containers.map(complete('container')) }),
    ...(pod.spec?.initContainers && {
      initContainers: pod.spec.initContainers.map(complete('init container')),
    }),
  };
  if (set.length === 0) return pod;
  const annotations = {
    ...pod.metadata.annotations,
    [`${labelDomain}/limit-ranger`]: `LimitRanger plugin set: ${set.join('; ')}`,
  };
  return { ...pod, metadata: { ...pod.metadata, annotations }, spec };
}

/** Sets the amounts that a container does not say, and reports their names. */
function withAmounts(
  container: Container,
  defaults: Required<Pick<ResourceRequirements, 'limits' | 'requests'>>,
  report: (what: string) => void,
): Container {
  let { resources = {} } = container;
  for (const part of ['requests', 'limits'] as const) {
    const own = resources[part] ?? {};
    const missing = Object.keys(defaults[part]).filter((name) => own[name] === undefined);
    if (missing.length === 0) continue;
    report(`${missing.sort(compareUtf8).join(', ')} ${part.slice(0, -1)}`);
    resources = { ...resources, [part]: { ...defaults[part], ...own } };
  }
  return resources === container.resources ? container : { ...container, resources };
}

function problemsOf(range: LimitRange, { resource, object }: AdmissionRequest): readonly string[] {
  if (resource.resource !== 'pods') {
    const requests = amounts((object as Claim).spec?.resources?.requests);
    return itemsOf(range, 'PersistentVolumeClaim').flatMap((item) => limitProblems(item, { requests }));
  }
  const { spec = {} } = object as Pod;
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(demandOf);
  return (range.spec?.limits ?? []).flatMap((item) => {
    if (item.type === 'Container') return containers.flatMap((demand) => limitProblems(item, demand));
    return item.type === 'Pod' ? limitProblems(item, demandOfPod(spec)) : [];
  });
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
