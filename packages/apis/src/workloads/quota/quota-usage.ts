import {
  type GroupResource,
  oncePerVocabulary,
  type Quantity,
  quantityOf,
  type Vocabulary,
} from '@ashlar/core';
import type { Amounts } from '../admission/pod-resources.ts';
import { claimUsage } from './claim-usage.ts';
import { podUsage } from './pod-usage.ts';
import type { QuotaUsage } from './resource-usage.ts';
import { serviceUsage } from './service-usage.ts';

const ONE: Quantity = quantityOf(1n);

const usageOfPods = oncePerVocabulary(podUsage);
const usageOfClaims = oncePerVocabulary(claimUsage);

/** Kinds that are not counted: there are too many, or none is stored. */
const UNCOUNTED: ReadonlySet<string> = new Set(['events', 'bindings', 'localsubjectaccessreviews']);

/** Names of counts besides `count/…`. */
const OLD_NAMES: ReadonlySet<string> = new Set([
  'configmaps',
  'resourcequotas',
  'replicationcontrollers',
  'secrets',
]);

/** Returns how objects of a type use quotas; undefined if they do not. */
export function quotaUsage(resource: GroupResource, vocabulary: Vocabulary): QuotaUsage | undefined {
  const { group, resource: plural } = resource;
  if (UNCOUNTED.has(plural)) return undefined;
  if (group === '' && plural === 'pods') return usageOfPods(vocabulary);
  if (group === '' && plural === 'services') return serviceUsage;
  if (group === '' && plural === 'persistentvolumeclaims') return usageOfClaims(vocabulary);
  return countUsage(group === '' ? plural : `${plural}.${group}`, group === '' && OLD_NAMES.has(plural));
}

function countUsage(name: string, hasOldName: boolean): QuotaUsage {
  const used: Amounts = new Map([[`count/${name}`, ONE], ...(hasOldName ? ([[name, ONE]] as const) : [])]);
  return {
    handles: ({ operation, subresource }) => operation === 'CREATE' && subresource === '',
    isCounted: (each) => used.has(each),
    names: [...used.keys()],
    of: () => used,
  };
}

/** Returns the type whose objects use what a quota calls by a name. */
export function typeOfQuotaName(name: string): GroupResource {
  if (name.startsWith('count/')) {
    const counted = name.slice('count/'.length);
    const dot = counted.indexOf('.');
    return dot < 0
      ? { group: '', resource: counted }
      : { group: counted.slice(dot + 1), resource: counted.slice(0, dot) };
  }
  return { group: '', resource: corePlural(name) };
}

function corePlural(name: string): string {
  if (OLD_NAMES.has(name)) return name;
  if (name === 'services' || name.startsWith('services.')) return 'services';
  const isOfClaims =
    name === 'persistentvolumeclaims' || name === 'requests.storage' || name.includes('.storageclass.');
  return isOfClaims ? 'persistentvolumeclaims' : 'pods';
}
