import { describe, expect, it } from 'vitest';
import type { Metric } from './autoscaler-types.ts';
import { metricsText } from './metric-text.ts';

const text = (target: object, current: object): string => {
  const metric = { type: 'External', external: { target } } as Metric;
  const observed = { type: 'External', external: { current } } as Metric;
  return metricsText({ spec: { metrics: [metric] }, status: { currentMetrics: [observed] } } as never);
};

describe('metrics of an autoscaler in a table', () => {
  it.each([
    ['a value', { value: '5' }, { value: '6' }, '6/5'],
    ['no value where an average was found', { value: '5' }, { averageValue: '6' }, '<nil>/5'],
    ['an average', { averageValue: '5' }, { averageValue: '6' }, '6/5 (avg)'],
    ['no average where a value was found', { averageValue: '5' }, { value: '6' }, '<unknown>/5 (avg)'],
  ])('have %s', (_, target, current, shown) => {
    expect(text(target, current)).toBe(shown);
  });
});
