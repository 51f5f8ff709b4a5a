import { describe, expect, it } from 'vitest';
import { semanticallyEqual, withAmountsOf } from './semantic-equality.ts';
import { podSchema } from './shapes/core/pod.ts';

const spec = (memory: string, sizeLimit = '1', image = 'i') => ({
  spec: {
    containers: [{ name: 'c', image, resources: { limits: { memory } } }],
    volumes: [{ name: 'v', emptyDir: { sizeLimit } }],
  },
});

describe('semantic equality', () => {
  it('compares quantities by their amount', () => {
    expect(semanticallyEqual(podSchema, spec('1Gi'), spec('1073741824', '1000m'))).toBe(true);
    expect(semanticallyEqual(podSchema, spec('1Gi'), spec('1G'))).toBe(false);
    expect(semanticallyEqual(podSchema, spec('1Gi'), spec('1073741824', '1', 'j'))).toBe(false);
    expect(semanticallyEqual(podSchema, undefined, undefined)).toBe(true);
    expect(semanticallyEqual(podSchema, spec('1'), undefined)).toBe(false);
  });

  it('adapts the form of equal quantities, and copies nothing else', () => {
    const stored = spec('1073741824', '1', 'j');
    const value = spec('1Gi', '2');
    const adapted = withAmountsOf(podSchema, stored, value);
    expect(adapted).toEqual(spec('1073741824', '2'));
    expect(adapted.spec.volumes).toBe(value.spec.volumes);
    expect(withAmountsOf(podSchema, spec('3'), value)).toBe(value);
  });
});
