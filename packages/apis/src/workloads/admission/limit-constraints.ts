import { compareUtf8, parseQuantity, type Quantity, type Steps } from '@ashlar/core';
import type { ResourceList } from '../pods/container-types.ts';
import type { LimitItem } from '../resources/quota-types.ts';
import type { LimitChecks } from './limit-checks.ts';
import type { Amounts } from './pod-resources.ts';

/** What an object requests, and what it is limited to. */
export interface Demand {
  readonly requests: Amounts;
  /** Absent for objects of which only the requests count. */
  readonly limits?: Amounts;
}

type Problem = string | undefined;

/** What an item of a limit range objects to: first its minimums, then its maximums, then its ratios, each by name; equal ones once. */
export function* limitProblems(
  item: LimitItem,
  demand: Demand,
  checks: LimitChecks,
): Steps<ReadonlySet<string>> {
  const { type, min, max, ratio } = boundsOf(item);
  const problems = new Set<string>();
  for (const [bounds, check] of [
    [min, minimumProblem],
    [max, demand.limits ? maximumProblem : maximumRequestProblem],
    [ratio, ratioProblem],
  ] as const)
    for (const [name, bound] of bounds) {
      if (checks.add()) yield;
      const problem = check(subject(type, name, bound, demand));
      if (problem !== undefined) problems.add(problem);
    }
  return problems;
}

type Bounds = readonly (readonly [string, Quantity])[];

/** The bounds of an item, parsed and in order. */
interface ItemBounds {
  readonly type: string;
  readonly min: Bounds;
  readonly max: Bounds;
  readonly ratio: Bounds;
}

/** Bounds of stored items: each is compared with many objects. */
const BOUNDS: WeakMap<LimitItem, ItemBounds> = new WeakMap();

function boundsOf(item: LimitItem): ItemBounds {
  const known = BOUNDS.get(item);
  if (known) return known;
  const { type = '', min, max, maxLimitRequestRatio } = item;
  const bounds = { type, min: parsed(min), max: parsed(max), ratio: parsed(maxLimitRequestRatio) };
  BOUNDS.set(item, bounds);
  return bounds;
}

const parsed = (amounts: ResourceList = {}): Bounds =>
  Object.entries(amounts)
    .sort(([a], [b]) => compareUtf8(a, b))
    .map(([name, text]) => [name, parseQuantity(text)]);

/** One resource of an object, and its bound. */
interface Subject {
  readonly type: string;
  readonly name: string;
  readonly bound: Quantity;
  readonly request: Quantity | undefined;
  readonly limit: Quantity | undefined;
  /** In thousandths, or in whole units if one of the three has too many. */
  readonly scale: (amount: Quantity | undefined) => bigint;
}

function subject(type: string, name: string, bound: Quantity, { requests, limits }: Demand): Subject {
  const [request, limit] = [requests.get(name), limits?.get(name)];
  let isExact: boolean | undefined;
  const scale = (amount: Quantity | undefined): bigint => {
    isExact ??= [bound, request, limit].every((each) => !each || each.value() <= MAXIMUM_THOUSANDS);
    return amount ? (isExact ? amount.milliValue() : amount.value()) : 0n;
  };
  return { type, name, bound, request, limit, scale };
}

/** Whole units whose thousandths fit into 64 bits. */
const MAXIMUM_THOUSANDS: bigint = (2n ** 63n - 1n) / 1000n;

function minimumProblem({ type, name, bound, request, limit, scale }: Subject): Problem {
  const rule = `minimum ${name} usage per ${type} is ${bound}`;
  if (!request) return `${rule}.  No request is specified`;
  if (scale(request) < scale(bound)) return `${rule}, but request is ${request}`;
  return limit && scale(limit) < scale(bound) ? `${rule}, but limit is ${limit}` : undefined;
}

function maximumProblem({ type, name, bound, request, limit, scale }: Subject): Problem {
  const rule = `maximum ${name} usage per ${type} is ${bound}`;
  if (!limit) return `${rule}.  No limit is specified`;
  if (scale(limit) > scale(bound)) return `${rule}, but limit is ${limit}`;
  return request && scale(request) > scale(bound) ? `${rule}, but request is ${request}` : undefined;
}

function maximumRequestProblem({ type, name, bound, request, scale }: Subject): Problem {
  const rule = `maximum ${name} usage per ${type} is ${bound}`;
  if (!request) return `${rule}.  No request is specified`;
  return scale(request) > scale(bound) ? `${rule}, but request is ${request}` : undefined;
}

function ratioProblem({ type, name, bound, request, limit, scale }: Subject): Problem {
  const rule = `${name} max limit to request ratio per ${type} is ${bound}`;
  if (scale(request) === 0n) return `${rule}, but no request is specified or request is 0`;
  if (scale(limit) === 0n) return `${rule}, but no limit is specified or limit is 0`;
  const ratio = Number(scale(limit)) / Number(scale(request));
  const isExact = bound.value() <= MAXIMUM_THOUSANDS;
  const isExceeded = isExact ? ratio * 1000 > Number(bound.milliValue()) : ratio > Number(bound.value());
  return isExceeded ? `${rule}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}
