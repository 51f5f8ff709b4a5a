import { compareUtf8, parseQuantity, type Quantity } from '@ashlar/core';
import type { LimitItem } from '../resources/quota-types.ts';
import type { Amounts } from './pod-resources.ts';

/** What an object requests, and what it is limited to. */
export interface Demand {
  readonly requests: Amounts;
  /** Absent for objects of which only the requests count. */
  readonly limits?: Amounts;
}

type Bound = 'min' | 'max' | 'maxLimitRequestRatio';
type Problem = string | undefined;

/** What an item of a limit range objects to: first its minimums, then its maximums, then its ratios, each by name. */
export function limitProblems(item: LimitItem, demand: Demand): readonly string[] {
  const { type = '' } = item;
  const problems = (bound: Bound, check: (what: Subject) => Problem): readonly string[] =>
    Object.entries(item[bound] ?? {})
      .sort(([a], [b]) => compareUtf8(a, b))
      .flatMap(([name, text]) => check(subject(type, name, parseQuantity(text), demand)) ?? []);
  return [
    ...problems('min', minimumProblem),
    ...problems('max', demand.limits ? maximumProblem : maximumRequestProblem),
    ...problems('maxLimitRequestRatio', ratioProblem),
  ];
}

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
  const isExact = [bound, request, limit].every((each) => !each || each.value() <= MAXIMUM_THOUSANDS);
  const scale = (amount: Quantity | undefined): bigint =>
    amount ? (isExact ? amount.milliValue() : amount.value()) : 0n;
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
