import { createSteppedClock } from '@ashlar/core/testing';
import { expect, it } from 'vitest';
import { levelOf, queued } from '../flow-control.fixture.ts';
import type { ConfiguredLevel } from '../flow-objects.ts';
import { FlowLevel } from '../levels/flow-level.ts';
import { adjustSeats } from './adjust-seats.ts';
import type { SeatLimits } from './seat-limits.ts';

/** A level that has used a number of seats for ten seconds. */
function used(object: ConfiguredLevel, limits: SeatLimits, seats: number): FlowLevel {
  const clock = createSteppedClock();
  const level = new FlowLevel(object.metadata.name ?? '', clock);
  level.configure(object, limits);
  level.usage.set(seats, 0);
  return level;
}

const exempt: ConfiguredLevel = { metadata: { name: 'exempt' }, spec: { type: 'Exempt' } };
const limited = levelOf('limited', queued(1));

it('gives an exempt level what it used', () => {
  const level = used(exempt, { nominal: 0, lower: 0, upper: 100 }, 7);
  adjustSeats([level, used(limited, { nominal: 50, lower: 50, upper: 50 }, 0)], 10_000);
  expect(level.current).toBe(7);
});

it('leaves other levels what they cannot lend, however much exempt requests use', () => {
  const levels = [
    used(exempt, { nominal: 0, lower: 0, upper: 100 }, 95),
    used(limited, { nominal: 50, lower: 10, upper: 100 }, 50),
    used(limited, { nominal: 50, lower: 20, upper: 100 }, 50),
  ];
  adjustSeats(levels, 10_000);
  expect(levels.map(({ current }) => current)).toEqual([95, 10, 20]);
});

it('shares what exempt requests leave in proportion to use', () => {
  const levels = [
    used(exempt, { nominal: 0, lower: 0, upper: 100 }, 35),
    used(limited, { nominal: 50, lower: 10, upper: 100 }, 50),
    used(limited, { nominal: 50, lower: 20, upper: 100 }, 50),
  ];
  adjustSeats(levels, 10_000);
  expect(levels.map(({ current }) => current)).toEqual([35, 30, 35]);
});

it('shares all seats by demand if there are enough', () => {
  const levels = [
    used(limited, { nominal: 50, lower: 0, upper: 150 }, 90),
    used(limited, { nominal: 50, lower: 0, upper: 150 }, 10),
  ];
  adjustSeats(levels, 10_000);
  expect(levels.map(({ current }) => current)).toEqual([90, 10]);
});
