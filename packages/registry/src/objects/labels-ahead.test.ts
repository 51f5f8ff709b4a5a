import { type ApiObject, type JsonObject, validateLabelSelector, validateLabels } from '@ashlar/core';
import { expect, it } from 'vitest';
import { checkLabelsAheadSteps } from './labels-ahead.ts';

const labels = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, '/']));

const objectOf = (spec: unknown, ofObject: JsonObject = {}): ApiObject =>
  ({ apiVersion: 'v1', kind: 'A', metadata: { name: 'a', labels: ofObject }, spec }) as never;

function pausesOf(object: ApiObject): number {
  let pauses = 0;
  for (const _ of checkLabelsAheadSteps(object)) pauses++;
  return pauses;
}

it('checks large sets of labels and requirements wherever they are', () => {
  const own = labels(3_000);
  const selected = labels(3_000);
  const matchExpressions = Array.from({ length: 3_000 }, () => ({ key: '/', operator: 'Exists' }));
  const spec = { items: [{ selector: { matchLabels: selected } }, { deep: { matchExpressions } }] };
  expect(pausesOf(objectOf(spec, own))).toBeGreaterThan(0);
  const found = validateLabels(selected);
  expect(found.length).toBeGreaterThan(99);
  for (const name of Object.keys(own)) own[name] = selected[name] = 'valid';
  // they were found before
  expect(validateLabels(own)).toEqual(found);
  expect(validateLabels(selected)).toEqual(found);
  matchExpressions.length = 0;
  expect(validateLabelSelector({ matchExpressions }, 'a').length).toBeGreaterThan(99);
});

it.each<[string, JsonObject]>([
  ['numbers', { labels: Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`k${i}`, i])) }],
  ['a list', { selector: Array.from({ length: 3_000 }, () => 'a') }],
  ['values of another type', { matchExpressions: Array.from({ length: 3_000 }, () => ({ key: 1 })) }],
  ['a text', { labels: 'a'.repeat(100_000) }],
])('leaves out %s in fields of objects of custom types', (_, spec) => {
  expect(() => pausesOf(objectOf(spec))).not.toThrow();
});
