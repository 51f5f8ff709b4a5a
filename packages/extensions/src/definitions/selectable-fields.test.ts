import type { ApiObject } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { selectableFields } from './selectable-fields.ts';

describe('selectable fields', () => {
  it('have values of an object', () => {
    const selectable = selectableFields([{ jsonPath: '.spec.size' }]);
    const object = { spec: { size: 3 } } as unknown as ApiObject;
    const others = { spec: [] } as unknown as ApiObject;
    expect([
      selectable.names,
      selectable.valueOf(object, 'spec.size'),
      selectable.valueOf(others, 'spec.size'),
    ]).toEqual([['spec.size'], '3', '']);
  });

  it.each([
    ['spec.size', ['spec', 'size']],
    ['spec.a-b_1', ['spec', 'a-b_1']],
    ['spec.template.metadata.name', undefined],
    ['spec.*', undefined],
    ['spec.é', undefined],
  ])('%s follow from the members %j', (field, path) => {
    expect(selectableFields([{ jsonPath: `.${field}` }]).pathOf?.(field)).toEqual(path);
  });
});
