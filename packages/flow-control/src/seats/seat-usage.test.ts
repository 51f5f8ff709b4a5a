import { expect, it } from 'vitest';
import { SeatUsageMeter } from './seat-usage.ts';

it('weights what is used by time, and begins each period anew', () => {
  const meter = new SeatUsageMeter(0);
  meter.set(10, 0);
  meter.set(2, 5_000);
  expect(meter.nextPeriod(10_000)).toEqual({ highest: 10, average: 6, deviation: 4, smoothed: 10 });
  expect(meter.nextPeriod(20_000)).toMatchObject({ highest: 2, average: 2, deviation: 0 });
});

it('forgets slowly what was used', () => {
  const meter = new SeatUsageMeter(0);
  meter.set(100, 0);
  meter.nextPeriod(10_000);
  meter.set(0, 10_000);
  const periods = Array.from({ length: 30 }, (_, i) => meter.nextPeriod(20_000 + i * 10_000).smoothed);
  expect(periods[0]).toBeCloseTo(97.7);
  expect(periods.at(-1)).toBeCloseTo(49.8, 1);
});

it('measures a period without duration by what is used now', () => {
  const meter = new SeatUsageMeter(0);
  meter.set(3, 0);
  expect(meter.nextPeriod(0)).toEqual({ highest: 3, average: 3, deviation: 0, smoothed: 3 });
});
