import {
  type ApiObject,
  everyField,
  everyLabel,
  type LabelSelector,
  type LabelSelectorObject,
  pause,
  StatusError,
  toLabelSelector,
} from '@ashlar/core';
import { type ActionEnvironment, type ActionObjects, objectOf, type RequestContext } from '@ashlar/registry';
import { withEntry } from '../../types/sorted-map.ts';
import type { Condition, Pod } from './pod-types.ts';

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
const MAXIMUM_DISRUPTED_PODS = 2000;

/** Pods that have ended, have not started or are being deleted do not count. */
export const isFree = ({ metadata, status }: Pod): boolean =>
  ['Succeeded', 'Failed', 'Pending'].includes(status?.phase ?? '') ||
  metadata.deletionTimestamp !== undefined;

export async function decrementBudget(
  context: RequestContext,
  pod: Pod,
  { related, timestamp, ambient }: ActionEnvironment,
): Promise<void> {
  const budgets = related(BUDGETS.group, BUDGETS.plural);
  if (!budgets) return;
  const [budget, other] = await budgetsOf(context, pod, budgets, ambient);
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
  ambient: ActionEnvironment['ambient'],
): Promise<readonly Budget[]> {
  const result = await storage.list?.(
    { ...context, version: 'v1' },
    { labels: everyLabel, fields: everyField },
  );
  const found: Budget[] = [];
  let terms = 0;
  for (const item of result?.items ?? []) {
    const budget = objectOf(item) as Budget;
    if (selectorOf(budget).matches(metadata.labels ?? {})) found.push(budget);
    terms += termsOf(budget.spec?.selector);
    if (terms < TERMS_AT_ONCE) continue;
    await pause(ambient);
    terms = 0;
  }
  return found;
}

/** Terms that are compared with a pod before others may run: a selector may have thousands. */
const TERMS_AT_ONCE = 5_000;

const termsOf = ({ matchLabels = {}, matchExpressions = [] }: LabelSelectorObject = {}): number =>
  Object.keys(matchLabels).length + matchExpressions.length;

/** Selectors of stored budgets: each is compared with many pods. */
const SELECTORS: WeakMap<Budget, LabelSelector> = new WeakMap();

function selectorOf(budget: Budget): LabelSelector {
  const known = SELECTORS.get(budget) ?? toLabelSelector(budget.spec?.selector);
  SELECTORS.set(budget, known);
  return known;
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
  if (disrupted > MAXIMUM_DISRUPTED_PODS)
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
