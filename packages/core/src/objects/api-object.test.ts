import { describe, expect, it } from 'vitest';
import { type ApiObject, valueAt, withMetadata } from './api-object.ts';

const object: ApiObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', uid: 'u' },
  spec: { list: [{ x: 1 }] },
};

describe('valueAt', () => {
  it('follows names and indexes', () => {
    expect(valueAt(object, ['metadata', 'name'])).toBe('a');
    expect(valueAt(object, ['spec', 'list', '0', 'x'])).toBe(1);
    expect(valueAt(object, [])).toBe(object);
  });

  it('is undefined if the path leaves the object', () => {
    expect(valueAt(object, ['spec', 'no', 'deeper'])).toBeUndefined();
    expect(valueAt(object, ['metadata', 'name', 'length'])).toBeUndefined();
    expect(valueAt(object, ['constructor'])).toBeUndefined();
    expect(valueAt(null, ['a'])).toBeUndefined();
  });
});

describe('withMetadata', () => {
  it('replaces and removes fields of a copy', () => {
    const changed = withMetadata(object, { name: 'b', uid: undefined });
    expect(changed.metadata).toEqual({ name: 'b' });
    expect('uid' in changed.metadata).toBe(false);
    expect(changed.spec).toBe(object.spec);
    expect(object.metadata).toEqual({ name: 'a', uid: 'u' });
  });

  it('has added fields where they are printed', () => {
    const changed = withMetadata(object, { namespace: 'n', finalizers: ['f'], labels: { a: 'b' } });
    expect(Object.keys(changed.metadata)).toEqual(['name', 'namespace', 'uid', 'labels', 'finalizers']);
  });
});
