import type { Schema } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { compileFieldType, compileKindFieldType } from './field-type.ts';

describe('a field type', () => {
  it('compiles no part of a schema before it is asked for', () => {
    const read: string[] = [];
    const part = (name: string, schema: Schema): Schema =>
      new Proxy(schema, {
        get(target, member) {
          if (member === 'properties') read.push(name);
          return Reflect.get(target, member);
        },
      });
    const properties = Object.fromEntries(
      ['a', 'b', 'c'].map((name) => [name, part(name, { type: 'object', properties: {} })]),
    );
    const type = compileFieldType({ type: 'object', properties });
    const first = type.map?.fields.get('b');
    expect(type.map?.fields.size).toBe(3);
    expect(read).toEqual([]);
    expect(first?.map?.isAtomic).toBe(false);
    expect(type.map?.fields.get('b')).toBe(first);
    expect([...new Set(read)]).toEqual(['b']);
  });

  it('has the metadata of every object, whatever a schema says of them', () => {
    const properties: Record<string, Schema> = { metadata: { type: 'string' }, spec: { type: 'object' } };
    const { map } = compileKindFieldType({ type: 'object', properties });
    expect(map?.fields.get('metadata')?.map?.fields.has('labels')).toBe(true);
    expect(map?.fields.get('metadata')?.scalar).toBeUndefined();
    expect(map?.fields.has('spec')).toBe(true);
  });
});
