import type { ConfiguredLevel } from '../flow-objects.ts';

/** How many seats a priority level has, by its configuration. */
export interface SeatLimits {
  /** Its share of all seats, rounded up. */
  readonly nominal: number;
  /** What remains when all that may be lent is lent. */
  readonly lower: number;
  /** What it has at most when it has borrowed all that it may. */
  readonly upper: number;
}

const DEFAULT_SHARES = 30;

/** The shares of a level; its seats are all seats by its part of the sum of all shares. */
export function sharesOf({ spec }: ConfiguredLevel): number {
  if (spec?.type === 'Exempt') return spec.exempt?.nominalConcurrencyShares ?? 0;
  return spec?.limited?.nominalConcurrencyShares ?? DEFAULT_SHARES;
}

/** The seats of a level (semantics/requests#flow-control-in-detail). */
export function seatLimits(level: ConfiguredLevel, seats: number, allShares: number): SeatLimits {
  const { type, limited, exempt } = level.spec ?? {};
  const nominal = allShares > 0 ? Math.ceil((seats * sharesOf(level)) / allShares) : 0;
  const lendable = (type === 'Exempt' ? exempt?.lendablePercent : limited?.lendablePercent) ?? 0;
  const borrowed = type === 'Exempt' ? undefined : limited?.borrowingLimitPercent;
  return {
    nominal,
    lower: nominal - Math.round((nominal * lendable) / 100),
    upper: nominal + (borrowed === undefined ? seats : Math.round((nominal * borrowed) / 100)),
  };
}
