import type { Schema } from '@ashlar/core';
import { expect, it } from 'vitest';
import { atomicParts } from './atomic-parts.ts';
import { compileFieldType } from './field-type.ts';

const text: Schema = { type: 'string' };
const type = compileFieldType({
  type: 'object',
  properties: {
    plain: text,
    list: { type: 'array', items: text },
    set: { type: 'array', listType: 'set', items: text },
    map: { type: 'object', mapType: 'atomic', properties: { a: text } },
    items: {
      type: 'array',
      listType: 'map',
      listMapKeys: ['name'],
      items: { type: 'object', properties: { name: text, args: { type: 'array', items: text } } },
    },
  },
});

it.each([
  [{ plain: 'x', set: ['a'], items: [{ name: 'b' }] }, []],
  [{ list: [] }, ['.list']],
  [{ list: null, map: { a: 'x' } }, ['.map']],
  [{ items: [{ name: 'b', args: ['x'] }] }, ['.items[0].args']],
])('%j', (value, paths) => {
  expect(atomicParts(value, type)).toEqual(paths);
});
