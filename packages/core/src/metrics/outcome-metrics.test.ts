import { describe, expect, it } from 'vitest';
import { observed } from '../contracts/observe-outcome.ts';
import { exponentialBounds } from './metric-bounds.ts';
import { Metrics } from './metrics.ts';
import { countOutcomes } from './outcome-metrics.ts';

describe('countOutcomes', () => {
  it('counts attempts and their duration by outcome', () => {
    const metrics = new Metrics();
    const count = countOutcomes<'yes' | 'no'>(metrics, {
      attempts: { name: 'tries', help: 'Tries.' },
      duration: { name: 'tries_seconds', help: 'Time of tries.' },
      bounds: exponentialBounds(0.5, 2, 3),
    });
    count('yes', 0.25);
    count('yes', 3);
    count('no', 0.75);
    expect(metrics.text()).toBe(`# HELP tries Tries.
# TYPE tries counter
tries{result="yes"} 2
tries{result="no"} 1
# HELP tries_seconds Time of tries.
# TYPE tries_seconds histogram
tries_seconds_bucket{result="yes",le="0.5"} 1
tries_seconds_bucket{result="yes",le="1"} 1
tries_seconds_bucket{result="yes",le="2"} 1
tries_seconds_bucket{result="yes",le="+Inf"} 2
tries_seconds_sum{result="yes"} 3.25
tries_seconds_count{result="yes"} 2
tries_seconds_bucket{result="no",le="0.5"} 0
tries_seconds_bucket{result="no",le="1"} 1
tries_seconds_bucket{result="no",le="2"} 1
tries_seconds_bucket{result="no",le="+Inf"} 1
tries_seconds_sum{result="no"} 0.75
tries_seconds_count{result="no"} 1
`);
  });
});

describe('observed', () => {
  const events: string[] = [];
  const watch = <T>(ask: () => T | Promise<T>): T | Promise<T> => {
    events.length = 0;
    return observed(
      ask,
      (result) => events.push(`answered ${result}`),
      (error) => events.push(`failed ${(error as Error).message}`),
    );
  };
  const broken = new Error('x');

  it('returns immediate results without a promise', () => {
    expect([watch(() => 1), events]).toEqual([1, ['answered 1']]);
    expect(() =>
      watch(() => {
        throw broken;
      }),
    ).toThrow(broken);
    expect(events).toEqual(['failed x']);
  });

  it('awaits promises', async () => {
    expect([await watch(async () => 2), events]).toEqual([2, ['answered 2']]);
    await expect(watch(() => Promise.reject(broken))).rejects.toBe(broken);
    expect(events).toEqual(['failed x']);
  });
});
