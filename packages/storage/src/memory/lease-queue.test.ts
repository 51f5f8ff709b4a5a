import { createSteppedClock } from '@ashlar/core/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Lease, LeaseQueue } from './lease-queue.ts';

describe('lease queue', () => {
  test('expires every active lease at its time, in any order of addition', () => {
    const times = fc.array(fc.nat(1000), { maxLength: 200, size: 'max' });
    fc.assert(
      fc.property(times, (deadlines) => {
        const clock = createSteppedClock();
        const expired: [number, number][] = [];
        const queue = new LeaseQueue({
          clock,
          isCurrent: ({ revision }) => revision % 5 !== 0,
          expire: ({ deadline }) => expired.push([deadline, clock.monotonic()]),
        });
        for (const [i, deadline] of deadlines.entries()) queue.add({ key: `/${i}`, revision: i, deadline });
        clock.advance(1000);
        const standing = deadlines.filter((_, i) => i % 5 !== 0).sort((a, b) => a - b);
        expect(expired).toEqual(standing.map((deadline) => [deadline, deadline]));
      }),
    );
  });

  test('drops stale leases instead of collecting them', () => {
    const clock = createSteppedClock();
    let newest = 0;
    let asked = 0;
    const stands = ({ revision }: Lease): boolean => {
      asked++;
      return revision === newest;
    };
    const queue = new LeaseQueue({ clock, isCurrent: stands, expire: () => {} });
    for (newest = 1; newest <= 10_000; newest++) queue.add({ key: '/a', revision: newest, deadline: 5000 });
    const swept = asked;
    clock.advance(5000);
    expect(asked - swept).toBeLessThan(2000);
  });

  test('waits for leases longer than a timer can', () => {
    const clock = createSteppedClock();
    const expired: Lease[] = [];
    const queue = new LeaseQueue({ clock, isCurrent: () => true, expire: (lease) => expired.push(lease) });
    const deadline = 100 * 24 * 3600 * 1000;
    queue.add({ key: '/a', revision: 2, deadline });
    clock.advance(deadline - 1);
    expect(expired).toHaveLength(0);
    clock.advance(1);
    expect(expired).toHaveLength(1);
  });
});
