import { describe, expect, it } from 'vitest';
import { runAtOnce, type Steps } from '../contracts/steps.ts';
import { fieldErrorText } from '../errors/field-error.ts';
import {
  validateAnnotations,
  validateAnnotationsAheadSteps,
  validateLabels,
  validateLabelsAheadSteps,
} from '../validation/label-validation.ts';
import {
  type LabelSelectorObject,
  toLabelSelector,
  toLabelSelectorSteps,
  validateExpressionsAheadSteps,
  validateLabelSelector,
} from './label-selector-object.ts';

const COUNT = 5_000;

const labels = (count: number, last = 'v'): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i === count - 1 ? last : 'v']));

const values = (count: number): string[] => Array.from({ length: count }, (_, i) => `v${i}`);

function run<T>(steps: Steps<T>): { readonly pauses: number; readonly result: T } {
  for (let pauses = 0; ; pauses++) {
    const next = steps.next();
    if (next.done) return { pauses, result: next.value };
  }
}

const LARGE: readonly [string, LabelSelectorObject][] = [
  ['labels', { matchLabels: labels(COUNT) }],
  ['values', { matchExpressions: [{ key: 'k1', operator: 'In', values: values(COUNT) }] }],
  ['refused values', { matchExpressions: [{ key: 'k1', operator: 'NotIn', values: values(COUNT) }] }],
  [
    'expressions of one key',
    {
      matchExpressions: values(COUNT).map((value) => ({
        key: 'k1',
        operator: 'NotIn',
        values: [value],
      })),
    },
  ],
  [
    'values of several expressions',
    {
      matchExpressions: [
        { key: 'k1', operator: 'In', values: values(2 * COUNT) },
        { key: 'k1', operator: 'In', values: ['v', 'v1', ...values(COUNT)] },
        { key: 'k1', operator: 'NotIn', values: ['v2', 'v3'] },
        { key: 'k2', operator: 'Exists' },
      ],
    },
  ],
];

describe('a selector of very many', () => {
  it.each(LARGE)('%s is compiled with pauses, and selects the same', (_, object) => {
    const { pauses, result } = run(toLabelSelectorSteps(object));
    expect(pauses).toBeGreaterThan(3);
    const expected = toLabelSelector(object);
    expect(result.requirements).toEqual(expected.requirements);
    const objects = [{}, labels(COUNT), labels(COUNT, 'x'), ...values(4).map((k1) => ({ k1, k2: '' }))];
    for (const each of objects) expect(result.matches(each)).toBe(expected.matches(each));
  });

  it.each<[string, LabelSelectorObject]>([
    ['labels', { matchLabels: labels(COUNT, '/') }],
    ['values', { matchExpressions: [{ key: 'a', operator: 'In', values: [...values(COUNT), '/'] }] }],
    ['values of none', { matchExpressions: [{ key: 'a', operator: 'Exists', values: values(COUNT) }] }],
    ['values of a bad key', { matchExpressions: [{ key: '/', operator: 'In', values: values(COUNT) }] }],
  ])('%s is refused with the same message', (_, object) => {
    let message = '';
    try {
      toLabelSelector(object);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).not.toBe('');
    expect(() => runAtOnce(toLabelSelectorSteps(object))).toThrow(message);
  });
});

describe('errors that are found ahead', () => {
  it('of labels are those of each field', () => {
    const checked = labels(COUNT, '/');
    const expected = validateLabels(checked, 'a');
    expect(run(validateLabelsAheadSteps(checked)).pauses).toBeGreaterThan(3);
    expect(validateLabels(checked, 'a')).toEqual(expected);
    expect(validateLabels(checked, 'b').map(({ field }) => field)).toEqual(['b']);
    expect(run(validateLabelsAheadSteps(checked)).pauses).toBe(0);
  });

  it('of requirements are those of each field, and are not looked for again', () => {
    let read = 0;
    const matchExpressions = values(COUNT).map((value, i) => ({
      get key() {
        read++;
        return i === 3 ? '/' : 'k';
      },
      operator: 'In',
      values: i === 4 ? [] : [...(i === 5 ? values(COUNT) : []), i === 5 ? '/' : value],
    }));
    const expected = validateLabelSelector({ matchExpressions }, 'a');
    expect(expected.length).toBeGreaterThan(2);
    expect(run(validateExpressionsAheadSteps(matchExpressions)).pauses).toBeGreaterThan(6);
    read = 0;
    expect(validateLabelSelector({ matchExpressions }, 'a')).toEqual(expected);
    expect(validateLabelSelector({ matchExpressions }, 'b').map(fieldErrorText)).toContain(
      "b.matchExpressions[4].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
    );
    expect(read).toBe(0);
  });
});

it('annotations by the ten thousand are checked with pauses, once', () => {
  const annotations = (): Record<string, string> =>
    Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [i === 9 ? '-' : `K${i}`, 'some value']));
  const checked = annotations();
  expect(run(validateAnnotationsAheadSteps(checked)).pauses).toBeGreaterThan(3);
  expect(validateAnnotations(checked, 'a')).toEqual(validateAnnotations(annotations(), 'a'));
  expect(validateAnnotations(checked).map(({ field }) => field)).toEqual(
    Array.from({ length: 2 }, () => 'metadata.annotations'),
  );
  expect(run(validateAnnotationsAheadSteps(checked)).pauses).toBe(0);
});
