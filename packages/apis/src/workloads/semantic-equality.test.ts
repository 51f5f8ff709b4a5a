import { describe, expect, it } from 'vitest';
import { semanticallyEqual, withPlainAmounts } from './semantic-equality.ts';
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

  it('leaves other parts as they are', () => {
    const plain = withPlainAmounts(podSchema, spec('1'));
    expect(plain).toEqual(spec('1000000000', '1000000000'));
  });
});
