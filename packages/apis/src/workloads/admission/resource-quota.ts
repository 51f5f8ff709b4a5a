import { type AdmissionPlugin, type AdmissionRequest, forbiddenByAdmission } from '@ashlar/admission';
import {
  type Ambient,
  type ApiObject,
  andThen,
  compareUtf8,
  hasMember,
  type MaybePromise,
  runInSlices,
  type Steps,
  type Vocabulary,
} from '@ashlar/core';
import { countedNames } from '../quota/counted-names.ts';
import { CountedQuota } from '../quota/counted-quota.ts';
import { type LimitedResource, requireQuotas } from '../quota/limited-resources.ts';
import { increase, quotaMatches } from '../quota/quota-check.ts';
import { quotaUsage } from '../quota/quota-usage.ts';
import type { QuotaUsage } from '../quota/resource-usage.ts';
import type { Amounts } from './pod-resources.ts';

/** Adds to the newest state of a quota. Throws what refuses the request, and adds nothing then. */
export type QuotaChange = (current: CountedQuota) => void;

export interface ResourceQuotaOptions {
  readonly vocabulary: Vocabulary;
  /** With it, pods are compared with many quotas with pauses. */
  readonly ambient?: Pick<Ambient, 'clock' | 'turns'>;
  /** What may be used only where a quota limits it; by default nothing. */
  readonly limitedResources?: readonly LimitedResource[] | undefined;
  /** Returns the quotas in the namespace of a request; a cached state is sufficient. */
  quotas(request: AdmissionRequest): MaybePromise<readonly ApiObject[]>;
  /**
   * Reads, changes and writes a quota by compare-and-swap, and calls the change again with the newer state if another write came first;
   * nothing happens if it was deleted. Never writes a dry run.
   * @throws what the change throws for the newest state
   */
  change(quota: ApiObject, change: QuotaChange, dryRun: boolean): Promise<void>;
  /** Throws if the object that a request creates is there already: it would be counted in vain. */
  requireAbsent(request: AdmissionRequest): MaybePromise<void>;
}

/**
 * Counts new objects, and what updates need more, in the quotas of their namespace, and refuses what exceeds one
 * (semantics/admission#default-plugins). The count is written before the object: it is never too low, and too high until a controller has
 * counted again if the object is not written after all.
 */
export function createResourceQuota(options: ResourceQuotaOptions): AdmissionPlugin {
  return {
    name: 'ResourceQuota',
    handles: ({ namespace, operation, resource }) =>
      namespace !== '' &&
      (operation === 'CREATE' || operation === 'UPDATE') &&
      (resource.group !== '' || resource.resource !== 'namespaces'),
    // without a quota nothing is waited for
    validate: (request) =>
      andThen(options.quotas(request), (quotas) =>
        quotas.length > 0 || options.limitedResources?.length ? count(request, quotas, options) : undefined,
      ),
  };
}

async function count(
  request: AdmissionRequest,
  quotas: readonly ApiObject[],
  options: ResourceQuotaOptions,
): Promise<void> {
  const usage = quotaUsage(request.resource, options.vocabulary);
  const { object, oldObject } = request;
  const { limitedResources = [] } = options;
  if (!object || !usage?.handles(request)) return;
  const needed = increase(usage.of(object), oldObject ? usage.of(oldObject) : NOTHING);
  const change: QuotaChange = (current) => countIn(current, request, usage, needed);
  const found = matchingQuotas(quotas, usage, object, options);
  const matching = found instanceof Promise ? await found : found;
  if (limitedResources.length > 0) {
    for (const quota of matching) requireCountable(request, new CountedQuota(quota), usage);
    if (needed.size > 0)
      requireQuotas({ ...request, object }, usage, limitedResources, { all: quotas, matching });
  }
  // none of several is changed if one of them refuses
  if (request.dryRun || matching.length > 1)
    for (const quota of matching) await options.change(quota, change, true);
  if (request.dryRun || needed.size === 0 || matching.length === 0) return;
  if (request.operation === 'CREATE') await options.requireAbsent(request);
  for (const quota of matching) await options.change(quota, change, false);
}

const NOTHING: Amounts = new Map();

/** The quotas that limit an object, by name. */
function matchingQuotas(
  quotas: readonly ApiObject[],
  usage: QuotaUsage,
  object: ApiObject,
  { ambient }: ResourceQuotaOptions,
): MaybePromise<readonly ApiObject[]> {
  return runInSlices(matchingSteps(quotas, usage, object), ambient);
}

function* matchingSteps(
  quotas: readonly ApiObject[],
  usage: QuotaUsage,
  object: ApiObject,
): Steps<ApiObject[]> {
  const matching: ApiObject[] = [];
  for (const quota of quotas) {
    if (quotaMatches(quota, usage, object)) matching.push(quota);
    if (quotas.length > FEW) yield;
  }
  return matching.sort((a, b) => compareUtf8(a.metadata.name ?? '', b.metadata.name ?? ''));
}

/** Quotas of a namespace that are compared without a pause. */
const FEW = 8;

/** @throws StatusError 403 */
function countIn(current: CountedQuota, request: AdmissionRequest, usage: QuotaUsage, needed: Amounts): void {
  const { quota } = current;
  if (!quotaMatches(quota, usage, request.object as ApiObject)) return;
  requireCountable(request, current, usage);
  const hard = quota.status?.hard ?? {};
  const counted = new Map([...needed].filter(([each]) => usage.isCounted(each) && hasMember(hard, each)));
  const refusal = current.add(counted);
  if (refusal !== undefined) throw forbiddenByAdmission(request, refusal);
}

/** @throws StatusError 403 if a quota cannot count an object */
function requireCountable(request: AdmissionRequest, current: CountedQuota, usage: QuotaUsage): void {
  const object = request.object as ApiObject;
  const { name = '' } = current.quota.metadata;
  const names = countedNames(current.quota, usage);
  const omissions = usage.omissions?.(names, object);
  if (omissions) throw forbiddenByAdmission(request, `failed quota: ${name}: ${omissions}`);
  if (names.some((each) => current.used(each) === undefined)) {
    const list = [...names].sort(compareUtf8).join(',');
    throw forbiddenByAdmission(request, `status unknown for quota: ${name}, resources: ${list}`);
  }
}
