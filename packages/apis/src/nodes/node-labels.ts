import type { Vocabulary } from '@ashlar/core';

type Labels = Readonly<Record<string, string>>;

const OWN_NAMES: readonly string[] = ['hostname', 'os', 'arch'];

/**
 * Changed labels that a node may not change, sorted (semantics/access#nodes): in the vendor's domains it may
 * set labels of its machine and topology, and none that others use to keep workloads off nodes.
 */
export function forbiddenNodeLabels(
  labels: Labels | undefined = {},
  before: Labels | undefined = {},
  vocabulary: Vocabulary,
): readonly string[] {
  const keys = new Set([...Object.keys(labels), ...Object.keys(before)]);
  return [...keys]
    .filter((key) => labels[key] !== before[key] && isForbidden(key, vocabulary))
    .sort((a, b) => (a < b ? -1 : 1));
}

function isForbidden(key: string, { labelDomain, reservedDomains }: Vocabulary): boolean {
  const slash = key.indexOf('/');
  const domain = slash < 0 ? '' : key.slice(0, slash);
  if (isWithin(domain, `node-restriction.${labelDomain}`)) return true;
  if (!reservedDomains.some((reserved) => isWithin(domain, reserved))) return false;
  if (isWithin(domain, `kubelet.${labelDomain}`) || isWithin(domain, `node.${labelDomain}`)) return false;
  return !ownLabels(labelDomain).has(key);
}

const isWithin = (domain: string, outer: string): boolean => domain === outer || domain.endsWith(`.${outer}`);

const ownLabels = (domain: string): ReadonlySet<string> =>
  new Set([
    ...OWN_NAMES.map((name) => `${domain}/${name}`),
    ...['os', 'arch', 'instance-type'].map((name) => `beta.${domain}/${name}`),
    ...['zone', 'region'].flatMap((name) => [
      `topology.${domain}/${name}`,
      `failure-domain.beta.${domain}/${name}`,
    ]),
  ]);
