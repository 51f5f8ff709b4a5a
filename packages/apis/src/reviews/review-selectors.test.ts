import { parseFieldSelector, runAtOnce } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { selectorErrors, selectorSteps } from './review-selectors.ts';

const texts = (attributes: Parameters<typeof selectorErrors>[0]): readonly string[] =>
  selectorErrors(attributes, 'a').map(({ field, message }) => `${field}: ${message.slice(0, 60)}`);

const requirements = [
  { key: '', operator: 'In' },
  { key: 'a b', operator: 'Exists', values: ['x y'] },
  { key: 'c', operator: 'Other', values: ['x y'] },
];

describe('the selectors of an access review', () => {
  it('have every requirement checked, also beside a text', () => {
    const both = 'may not specified at the same time as requirements';
    const needed = "must be specified when `operator` is 'In' or 'NotIn'";
    const excess = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    const messages = (path: 'fieldSelector' | 'labelSelector'): readonly string[][] =>
      selectorErrors({ [path]: { rawSelector: 'x', requirements } }, 'a').map(({ field, message }) => [
        field.replace(`a.${path}.`, ''),
        [both, needed, excess].find((text) => message.includes(text)) ?? message,
      ]);
    expect(messages('fieldSelector')).toEqual([
      ['rawSelector', both],
      ['requirements[0].key', expect.stringContaining('must be specified')],
      ['requirements[0].values', needed],
      ['requirements[1].values', excess],
    ]);
    expect(messages('labelSelector').map(([field]) => field)).toEqual([
      'rawSelector',
      'requirements[0].values',
      'requirements[0].key',
      'requirements[0].key',
      'requirements[1].values',
      'requirements[1].key',
      'requirements[1].values[0]',
      'requirements[2].values[0]',
    ]);
  });

  it('have a text or requirements', () => {
    expect(texts({})).toEqual([]);
    expect(texts({ labelSelector: {} })).toEqual([
      expect.stringMatching(/^a\.labelSelector\.requirements: .*when a\.labelSelector is specified/),
    ]);
    expect(texts({ fieldSelector: { rawSelector: 'x' } })).toEqual([]);
  });
});

describe('the selectors of a review', () => {
  const requirements = (count: number, operator: string) =>
    Array.from({ length: count }, (_, i) => ({ key: `k${i}`, operator, values: ['a'] }));

  it('are query strings, or errors', () => {
    const labelSelector = { requirements: requirements(2, 'In') };
    const fieldSelector = { requirements: requirements(2, 'Gt') };
    expect(runAtOnce(selectorSteps({ labelSelector, fieldSelector }))).toEqual({
      labelSelector: 'k0 in (a),k1 in (a)',
      errors: ['spec.resourceAttributes.fieldSelector ignored due to parse error'],
    });
    expect(runAtOnce(selectorSteps({ labelSelector: { requirements: requirements(1, 'Exists') } }))).toEqual({
      errors: ['spec.resourceAttributes.labelSelector ignored due to parse error'],
    });
    expect(runAtOnce(selectorSteps({ labelSelector: { rawSelector: 'b,a' } }))).toEqual({
      labelSelector: 'a,b',
    });
  });

  it('keep what is valid of them', () => {
    const read = (fields: readonly object[], labels: readonly object[]): unknown =>
      runAtOnce(
        selectorSteps({
          fieldSelector: { requirements: fields as never },
          labelSelector: { requirements: labels as never },
        }),
      );
    const field = { key: 'a', operator: 'In', values: ['b'] };
    const label = { key: 'l', operator: 'Exists' };
    const [fieldText, labelText] = ['fieldSelector', 'labelSelector'].map(
      (name) => `spec.resourceAttributes.${name} partially ignored due to parse error`,
    );
    expect(read([field, { key: 'c', operator: 'Exists' }], [label])).toEqual({
      fieldSelector: 'a=b',
      labelSelector: 'l',
      errors: [fieldText],
    });
    expect(read([field], [label, { key: 'm', operator: 'Bad' }, { key: 'n o', operator: 'Exists' }])).toEqual(
      {
        fieldSelector: 'a=b',
        labelSelector: 'l',
        errors: [labelText],
      },
    );
  });

  it.each([
    [{ key: 'a', operator: 'In', values: ['b,spec.nodeName=n'] }, 'a=b\\,spec.nodeName\\=n'],
    [{ key: 'a', operator: 'NotIn', values: ['b\\,c=d'] }, 'a!=b\\\\\\,c\\=d'],
    [{ key: 'spec.nodeName=n,a', operator: 'In', values: ['b'] }, undefined],
    [{ key: 'spec.nodeName!', operator: 'In', values: ['n'] }, undefined],
  ])('contain no requirement that is within the text of another one: %j', (requirement, text) => {
    const found = runAtOnce(selectorSteps({ fieldSelector: { requirements: [requirement] } }));
    expect(found.fieldSelector).toBe(text);
    const fields = parseFieldSelector(text ?? '').requirements;
    expect(fields.map(({ field, value }) => [field, value])).toEqual(
      text === undefined ? [] : [[requirement.key, requirement.values[0]]],
    );
  });

  it('are read with pauses if they are long', () => {
    const long = { requirements: requirements(2000, 'In') };
    const pauses = (attributes: Parameters<typeof selectorSteps>[0]): number =>
      [...selectorSteps(attributes)].length;
    expect(pauses({ labelSelector: long, fieldSelector: long })).toBe(10);
    expect(pauses({ labelSelector: { rawSelector: 'a'.repeat(100_000) } })).toBe(2);
    expect(pauses({ labelSelector: { requirements: requirements(10, 'In') } })).toBe(0);
  });
});
