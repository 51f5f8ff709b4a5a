import { doneSteps, type JsonObject, runAtOnce } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { FieldSet } from '../fieldpath/field-set.ts';
import { fieldPath } from '../fieldpath/path-element.ts';
import type { FieldType } from '../typed/field-type.ts';
import { FieldsByShape, isWithoutValues, shapeOf } from './fields-by-shape.ts';

const TYPE = {} as FieldType;
const OTHER_TYPE = {} as FieldType;
const NOTHING: JsonObject = {
  apiVersion: 'v1',
  kind: 'Page',
  metadata: { creationTimestamp: null },
  spec: {},
};
const FIELDS = FieldSet.of(fieldPath('spec', 'text'));

const shapesOf = (...objects: readonly JsonObject[]): readonly (string | undefined)[] => objects.map(shapeOf);

describe('FieldsByShape', () => {
  it('gives objects with the same members of the same kinds one shape', () => {
    const [one, two] = shapesOf(
      { metadata: { name: 'a' }, spec: { text: 'x', count: 1, rate: 1.5, on: true, none: null, parts: {} } },
      { metadata: { name: 'b' }, spec: { text: '', count: 0, rate: 0.1, on: false, none: null, parts: {} } },
    );
    expect(one).toBe(two);
    expect(one).toBeTypeOf('string');
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['names', { a: 's' }, { b: 's' }],
    ['nesting', { a: { b: 's' } }, { a: {}, b: 's' }],
    ['names that look like other shapes', { 'a1:b': 's' }, { a: 's', b: 's' }],
    ['texts and numbers', { a: '1' }, { a: 1 }],
    ['whole and other numbers', { a: 1 }, { a: 1.5 }],
    ['null and none', { a: null }, {}],
    ['null and an object', { a: null }, { a: {} }],
  ])('tells objects of different %s apart', (_, one, two) => {
    const [first, second] = shapesOf(one, two);
    expect(first).not.toBe(second);
  });

  it('has no shape for lists, whose items may be known by their values, and for large objects', () => {
    const many = Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`name-${i}`, 's']));
    expect(shapesOf({ a: [] }, { a: { b: [1] } }, many)).toEqual([undefined, undefined, undefined]);
  });

  it('does not know bases with values', () => {
    expect(isWithoutValues(NOTHING)).toBe(true);
    expect(isWithoutValues({ ...NOTHING, spec: { replicas: 1 } })).toBe(false);
    expect(isWithoutValues({ ...NOTHING, spec: { parts: ['a'] } })).toBe(false);
  });

  it('finds out the fields of a shape once, until another type or too many shapes come', () => {
    const shapes = new FieldsByShape<FieldSet>();
    const found: string[] = [];
    const fieldsOf = (name: string, type: FieldType): FieldSet =>
      runAtOnce(
        shapes.of({ [name]: 's' }, type, () => {
          found.push(name);
          return doneSteps(FIELDS);
        }),
      );
    expect([fieldsOf('a', TYPE), fieldsOf('a', TYPE)]).toEqual([FIELDS, FIELDS]);
    expect(found.splice(0)).toEqual(['a']);
    fieldsOf('a', OTHER_TYPE);
    fieldsOf('a', TYPE);
    expect(found.splice(0)).toEqual(['a', 'a']);
    for (let i = 0; i < 16; i++) fieldsOf(`b${i}`, TYPE);
    fieldsOf('b15', TYPE);
    fieldsOf('a', TYPE);
    expect(found).toEqual([...Array.from({ length: 16 }, (_, i) => `b${i}`), 'a']);
  });
});
