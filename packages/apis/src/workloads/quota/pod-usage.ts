import { compareUtf8, parseQuantity, type Quantity, quantityOf, type Vocabulary } from '@ashlar/core';
import { type Amounts, podResources } from '../admission/pod-resources.ts';
import { qosClassOf } from '../core/pod-qos.ts';
import type { Pod, PodSpec } from '../core/pod-types.ts';
import type { Container, ResourceList } from '../pods/container-types.ts';
import { isDomainQualifiedResource } from './extended-resource.ts';
import type { QuotaScope, QuotaUsage } from './resource-usage.ts';

interface AffinityTerm {
  readonly namespaces?: readonly string[];
  readonly namespaceSelector?: object;
}
interface Terms {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly AffinityTerm[];
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly {
    readonly podAffinityTerm?: AffinityTerm;
  }[];
}
type CountedSpec = PodSpec & {
  readonly overhead?: ResourceList;
  readonly priorityClassName?: string;
  readonly affinity?: { readonly podAffinity?: Terms; readonly podAntiAffinity?: Terms };
};

const STANDARD = ['cpu', 'memory', 'ephemeral-storage'];
const NAMES: ReadonlySet<string> = new Set([
  'count/pods',
  'pods',
  ...STANDARD.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
]);

/** What every container has to say if it is limited. */
const REQUIRED: ReadonlySet<string> = new Set(
  ['cpu', 'memory'].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
);

/** Pods: their number, and unless they have ended what they request and are limited to. */
export const podUsage = (vocabulary: Vocabulary): QuotaUsage => ({
  handles: ({ operation, subresource }) =>
    operation === 'CREATE' ? subresource === '' : operation === 'UPDATE' && subresource === 'resize',
  isCounted: (name) =>
    NAMES.has(name) ||
    name.startsWith('hugepages-') ||
    name.startsWith('requests.hugepages-') ||
    (name.startsWith('requests.') && isDomainQualifiedResource(name, vocabulary)),
  of(object) {
    const { spec = {}, status } = object as Pod;
    const one = quantityOf(1n);
    const counted = new Map<string, Quantity>([['count/pods', one]]);
    if (status?.phase === 'Failed' || status?.phase === 'Succeeded') return counted;
    for (const [name, amount] of demandOf(spec, vocabulary)) counted.set(name, amount);
    return counted.set('pods', one);
  },
  isInScope: (scope, object) => isInScope(scope, object as Pod),
  omissions: (names, object) => omissions(names, object as Pod),
});

function demandOf(spec: CountedSpec, vocabulary: Vocabulary): ReadonlyMap<string, Quantity> {
  const requests = new Map(podResources(spec, 'requests'));
  const limits = new Map(podResources(spec, 'limits'));
  for (const [name, text] of Object.entries(spec.overhead ?? {})) {
    const amount = parseQuantity(text);
    requests.set(name, requests.get(name)?.add(amount) ?? amount);
    const limit = limits.get(name);
    if (limit && limit.sign !== 0) limits.set(name, limit.add(amount));
  }
  return namedAmounts(requests, limits, vocabulary);
}

/** Amounts by the names that quotas have for them. */
function namedAmounts(requests: Amounts, limits: Amounts, vocabulary: Vocabulary): Map<string, Quantity> {
  const named = new Map<string, Quantity>();
  for (const [name, amount] of requests) {
    const isStandard = STANDARD.includes(name) || name.startsWith('hugepages-');
    if (isStandard) named.set(name, amount);
    if (isStandard || isDomainQualifiedResource(name, vocabulary)) named.set(`requests.${name}`, amount);
  }
  for (const [name, amount] of limits) if (STANDARD.includes(name)) named.set(`limits.${name}`, amount);
  return named;
}

/** What was found out about a pod, which is asked for each quota of its namespace. */
interface PodFacts {
  isBestEffort?: boolean;
  /** `limits.memory for: a,b` by name of the resource; empty if no container is silent. */
  readonly silent: Map<string, string>;
}

const FACTS: WeakMap<Pod, PodFacts> = new WeakMap();

function factsOf(pod: Pod): PodFacts {
  const facts = FACTS.get(pod) ?? { silent: new Map() };
  FACTS.set(pod, facts);
  return facts;
}

function isBestEffort(pod: Pod): boolean {
  const facts = factsOf(pod);
  facts.isBestEffort ??= qosClassOf(pod) === 'BestEffort';
  return facts.isBestEffort;
}

/** `must specify limits.memory for: a,b; requests.cpu for: c`. */
function omissions(names: readonly string[], pod: Pod): string | undefined {
  const required = names.filter((name) => REQUIRED.has(name)).sort(compareUtf8);
  const silent = required.flatMap((name) => silentText(name, pod) || []);
  return silent.length > 0 ? `must specify ${silent.join('; ')}` : undefined;
}

function silentText(name: string, pod: Pod): string {
  const { silent } = factsOf(pod);
  const known = silent.get(name);
  if (known !== undefined) return known;
  const { spec = {} } = pod;
  const all = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const bad = new Set(all.filter((each) => !declares(each, name)).map((each) => each.name ?? ''));
  const text = bad.size > 0 ? `${name} for: ${[...bad].sort(compareUtf8).join(',')}` : '';
  silent.set(name, text);
  return text;
}

function declares({ resources = {} }: Container, name: string): boolean {
  const [part, of] = name.includes('.') ? (name.split('.', 2) as [string, string]) : ['requests', name];
  return resources[part as 'requests' | 'limits']?.[of] !== undefined;
}

function isInScope({ scopeName, operator = 'Exists', values = [] }: QuotaScope, pod: Pod): boolean {
  const spec: CountedSpec = pod.spec ?? {};
  const isTerminating = (spec.activeDeadlineSeconds ?? -1) >= 0;
  switch (scopeName) {
    case 'Terminating':
      return isTerminating;
    case 'NotTerminating':
      return !isTerminating;
    case 'BestEffort':
      return isBestEffort(pod);
    case 'NotBestEffort':
      return !isBestEffort(pod);
    case 'PriorityClass':
      return hasClass(spec.priorityClassName ?? '', operator, values);
    case 'CrossNamespacePodAffinity':
      return reachesOtherNamespaces(spec);
    default:
      return false;
  }
}

function hasClass(name: string, operator: string, values: readonly string[]): boolean {
  if (operator === 'Exists') return name !== '';
  if (operator === 'DoesNotExist') return name === '';
  return operator === 'In' ? values.includes(name) && name !== '' : name === '' || !values.includes(name);
}

function reachesOtherNamespaces({ affinity = {} }: CountedSpec): boolean {
  return [affinity.podAffinity, affinity.podAntiAffinity].some((terms) =>
    [
      ...(terms?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
      ...(terms?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map((each) => each.podAffinityTerm),
    ].some((term) => term && ((term.namespaces ?? []).length > 0 || term.namespaceSelector !== undefined)),
  );
}
