import {
  type ApiObject,
  everyField,
  everyLabel,
  FieldErrors,
  type LabelSelectorObject,
  type Status,
  StatusError,
  toLabelSelector,
} from '@ashlar/core';
import {
  type ActionEnvironment,
  type ActionObjects,
  type ActionSubresource,
  type DeleteRequest,
  objectOf,
  type RequestContext,
} from '@ashlar/registry';
import { withEntry } from '../../types/sorted-map.ts';
import { evictionSchema } from '../shapes/core/pod-actions.ts';
import { withCondition } from './pod-condition.ts';
import type { Condition, Pod } from './pod-types.ts';

interface Eviction extends ApiObject {
  readonly deleteOptions?: DeleteRequest & {
    readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
    readonly orphanDependents?: boolean;
    readonly dryRun?: readonly string[];
  };
}

interface BudgetCondition extends Condition {
  readonly observedGeneration?: number;
  readonly lastTransitionTime?: string | null;
}

interface Budget extends ApiObject {
  readonly spec?: { readonly selector?: LabelSelectorObject; readonly unhealthyPodEvictionPolicy?: string };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly disruptedPods?: Readonly<Record<string, string>>;
    readonly disruptionsAllowed?: number;
    readonly currentHealthy?: number;
    readonly desiredHealthy?: number;
    readonly conditions?: readonly BudgetCondition[];
  };
}

const BUDGETS = { group: 'policy', plural: 'poddisruptionbudgets' } as const;
const MOST_DISRUPTED = 2000;

/** Deletes a pod, if its disruption budget permits (semantics/verbs#subresources). */
export const podEviction: ActionSubresource = {
  name: 'eviction',
  group: 'policy',
  version: 'v1',
  kind: 'Eviction',
  schema: evictionSchema,
  create: evictPod,
};

async function evictPod(
  context: RequestContext,
  name: string,
  eviction: Eviction,
  environment: ActionEnvironment,
): Promise<Status> {
  refuseMalformed(eviction, name);
  const dryRun = context.dryRun || (eviction.deleteOptions?.dryRun ?? []).includes('All');
  const evicting = { ...context, dryRun };
  const pod = await readPod(evicting, name, environment.parent);
  if (!isFree(pod)) await decrementBudget(evicting, pod, environment);
  await markAndDelete(evicting, name, eviction, environment);
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
}

function refuseMalformed({ metadata, deleteOptions }: Eviction, name: string): void {
  if (metadata.name !== name)
    throw StatusError.badRequest('name in URL does not match name in Eviction object');
  if (!deleteOptions?.ignoreStoreReadErrorWithClusterBreakingPotential) return;
  const field = 'deleteOptions.ignoreStoreReadErrorWithClusterBreakingPotential';
  const why = 'can not be set for pod eviction, try after removing the option';
  throw StatusError.invalid('policy', 'Eviction', name, [FieldErrors.invalid(field, true, why)]);
}

async function readPod(context: RequestContext, name: string, { storage }: ActionObjects): Promise<Pod> {
  if (!storage.get) throw new TypeError('pods cannot be read');
  return objectOf(await storage.get(context, { name }));
}

/** Pods that have ended, have not started or are being deleted do not count. */
const isFree = ({ metadata, status }: Pod): boolean =>
  ['Succeeded', 'Failed', 'Pending'].includes(status?.phase ?? '') ||
  metadata.deletionTimestamp !== undefined;

async function decrementBudget(
  context: RequestContext,
  pod: Pod,
  { related, timestamp }: ActionEnvironment,
): Promise<void> {
  const budgets = related(BUDGETS.group, BUDGETS.plural);
  if (!budgets) return;
  const [budget, other] = await budgetsOf(context, pod, budgets);
  if (!budget) return;
  if (other) {
    const message =
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.';
    throw new StatusError({ code: 500, reason: '', message });
  }
  if (!isReady(pod) && mayGoUnready(budget)) return;
  const name = budget.metadata.name ?? '';
  if (context.dryRun) withOneDisruptionLess(budget, pod, timestamp);
  else await budgets.change(context, name, (current) => withOneDisruptionLess(current, pod, timestamp));
}

async function budgetsOf(
  context: RequestContext,
  { metadata }: Pod,
  { storage }: ActionObjects,
): Promise<readonly Budget[]> {
  const answer = await storage.list?.(
    { ...context, version: 'v1' },
    { labels: everyLabel, fields: everyField },
  );
  return (answer?.items ?? [])
    .map((item) => objectOf(item) as Budget)
    .filter(({ spec }) => toLabelSelector(spec?.selector).matches(metadata.labels ?? {}));
}

const isReady = ({ status }: Pod): boolean =>
  (status?.conditions ?? []).some((condition) => condition.type === 'Ready' && condition.status === 'True');

function mayGoUnready({ spec = {}, status = {} }: Budget): boolean {
  const { currentHealthy = 0, desiredHealthy = 0 } = status;
  return (
    spec.unhealthyPodEvictionPolicy === 'AlwaysAllow' ||
    (currentHealthy >= desiredHealthy && desiredHealthy > 0)
  );
}

/**
 * A budget with one disruption less.
 * @throws StatusError 429 if it is exhausted
 */
function withOneDisruptionLess(budget: Budget, { metadata }: Pod, now: string): ApiObject {
  const { status = {} } = budget;
  const { disruptionsAllowed = 0, disruptedPods = {} } = status;
  refuseExhausted(budget, Object.keys(disruptedPods).length);
  const left = disruptionsAllowed - 1;
  const conditions = left > 0 ? status.conditions : withoutDisruptions(budget, now);
  return {
    ...budget,
    status: {
      ...status,
      disruptedPods: withEntry(disruptedPods, metadata.name ?? '', now),
      disruptionsAllowed: left,
      ...(conditions && { conditions }),
    },
  };
}

/** The conditions of an exhausted budget. */
function withoutDisruptions({ metadata, status = {} }: Budget, now: string): readonly BudgetCondition[] {
  const type = 'DisruptionAllowed';
  const conditions = status.conditions ?? [];
  const before = conditions.find((condition) => condition.type === type);
  const condition: BudgetCondition = {
    type,
    status: 'False',
    observedGeneration: metadata.generation ?? 0,
    lastTransitionTime: before?.status === 'False' ? (before.lastTransitionTime ?? now) : now,
    reason: 'InsufficientPods',
    message: '',
  };
  return before
    ? conditions.map((other) => (other === before ? condition : other))
    : [...conditions, condition];
}

function refuseExhausted({ metadata, status = {} }: Budget, disrupted: number): void {
  const { name = '', generation = 0 } = metadata;
  const { observedGeneration = 0, disruptionsAllowed = 0, desiredHealthy = 0, currentHealthy = 0 } = status;
  const forbidden = (why: string): StatusError =>
    StatusError.forbidden({ group: 'policy', resource: 'poddisruptionbudget' }, name, why);
  if (observedGeneration < generation)
    throw overBudget(`The disruption budget ${name} is still being processed by the server.`, 10);
  if (disruptionsAllowed < 0) throw forbidden('pdb disruptions allowed is negative');
  if (disrupted > MOST_DISRUPTED)
    throw forbidden('DisruptedPods map too big - too many evictions not confirmed by PDB controller');
  if (disruptionsAllowed > 0) return;
  const why = `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  throw overBudget(why, 0);
}

function overBudget(why: string, retryAfterSeconds: number): StatusError {
  return new StatusError({
    code: 429,
    reason: 'TooManyRequests',
    message: "Cannot evict pod as it would violate the pod's disruption budget.",
    details: { causes: [{ reason: 'DisruptionBudget', message: why }], retryAfterSeconds },
  });
}

async function markAndDelete(
  context: RequestContext,
  name: string,
  { deleteOptions = {} }: Eviction,
  { parent, timestamp }: ActionEnvironment,
): Promise<void> {
  const { storage } = parent;
  if (!storage.delete) throw new TypeError('pods cannot be deleted');
  const mark = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  };
  const {
    preconditions: { uid, resourceVersion } = {},
    propagationPolicy,
    gracePeriodSeconds,
  } = deleteOptions;
  if (!context.dryRun) {
    await parent.change(context, name, (pod) => {
      requireSame(pod, uid, resourceVersion);
      return withCondition(pod, mark, timestamp);
    });
  }
  await storage.delete(context, name, {
    ...(uid && { preconditions: { uid } }),
    ...(propagationPolicy && { propagationPolicy }),
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
  });
}

function requireSame({ metadata }: ApiObject, uid?: string, resourceVersion?: string): void {
  const conflict = (why: string): StatusError =>
    StatusError.conflict({ group: '', resource: 'Pod' }, metadata.name ?? '', why);
  if (uid && uid !== metadata.uid)
    throw conflict(
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    );
  if (resourceVersion && resourceVersion !== metadata.resourceVersion)
    throw conflict(
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
    );
}
