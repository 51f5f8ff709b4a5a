import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type SeatDemand, shareSeats } from './share-seats.ts';

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

it('gives each level the same fraction of what it could use', () => {
  const demands = [10, 20, 30].map((target) => ({ lower: 0, upper: 100, target }));
  const shared = shareSeats(30, demands).map((seats) => Number(seats.toFixed(6)));
  expect(shared).toEqual([5, 10, 15]);
});

it('gives what one level may not use to the others', () => {
  const shared = shareSeats(30, [
    { lower: 0, upper: 4, target: 20 },
    { lower: 1, upper: 100, target: 20 },
    { lower: 6, upper: 100, target: 6 },
  ]).map((seats) => Number(seats.toFixed(6)));
  expect(shared).toEqual([4, 20, 6]);
});

const demand: fc.Arbitrary<SeatDemand> = fc
  .tuple(fc.nat(600), fc.nat(600), fc.nat(600))
  .map(([lower, more, wanted]) => ({ lower, upper: lower + more, target: lower + wanted }));

it('keeps all bounds, and shares all seats if they allow it', () => {
  fc.assert(
    fc.property(fc.array(demand, { minLength: 1, maxLength: 12 }), fc.nat(2_000), (demands, seats) => {
      const shared = shareSeats(seats, demands);
      demands.forEach(({ lower, upper }, i) => {
        expect(shared[i]).toBeGreaterThanOrEqual(lower);
        expect(shared[i]).toBeLessThanOrEqual(upper);
      });
      const [least, most] = [sum(demands.map(({ lower }) => lower)), sum(demands.map(({ upper }) => upper))];
      expect(sum(shared)).toBeCloseTo(Math.min(Math.max(seats, least), most), 5);
    }),
  );
});
