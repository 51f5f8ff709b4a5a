import type { ApiObject } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { withCanonicalMetadata } from './canonical-object.ts';

const read = (text: string): ApiObject => JSON.parse(text) as ApiObject;

describe('withCanonicalMetadata', () => {
  it('orders kind, version and metadata, and removes empty fields', () => {
    const object = read(
      '{"data":1,"metadata":{"labels":{},"uid":"u","name":"n"},"apiVersion":"v1","kind":"K"}',
    );
    expect(JSON.stringify(withCanonicalMetadata(object, { uid: undefined, namespace: 'ns' }))).toBe(
      '{"kind":"K","apiVersion":"v1","metadata":{"name":"n","namespace":"ns"},"data":1}',
    );
  });

  it('preserves members of any name', () => {
    const object = read('{"kind":"K","apiVersion":"v1","metadata":{"name":"n"},"__proto__":{"a":1}}');
    expect(JSON.stringify(withCanonicalMetadata(object, {}))).toBe(JSON.stringify(object));
  });
});
