import { doneSteps, type JsonObject, runAtOnce } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { FieldSet } from '../fieldpath/field-set.ts';
import { fieldPath } from '../fieldpath/path-element.ts';
import type { FieldType } from '../typed/field-type.ts';
import { FieldsByShape, isWithoutValues } from './fields-by-shape.ts';

const TYPE = {} as FieldType;
const OTHER_TYPE = {} as FieldType;
const NOTHING: JsonObject = {
  apiVersion: 'v1',
  kind: 'Page',
  metadata: { creationTimestamp: null },
  spec: {},
};
const FIELDS = FieldSet.of(fieldPath('spec', 'text'));

describe('FieldsByShape', () => {
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
    for (let i = 0; i < 256; i++) fieldsOf(`b${i}`, TYPE);
    fieldsOf('b255', TYPE);
    fieldsOf('a', TYPE);
    expect(found).toEqual([...Array.from({ length: 256 }, (_, i) => `b${i}`), 'a']);
  });
});
