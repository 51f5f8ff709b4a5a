import { type Ambient, type ApiObject, type MaybePromise, StatusError } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import type { RequestContext } from '../definition/resource-storage.ts';
import { afterAdmission, requireBounded } from './large-object.ts';

const of = (bytes: number): ApiObject =>
  ({ apiVersion: 'v1', kind: 'A', metadata: { name: 'a' }, text: 'x'.repeat(bytes) }) as unknown as ApiObject;
let pauses = 0;
let elapsed = 0;
const ambient = {
  // at each look a slice has passed
  clock: { monotonic: () => (elapsed += 20) },
  turns: { pause: async () => void pauses++ },
} as unknown as Ambient;
const check = (isLarge: boolean, object: ApiObject): MaybePromise<void> =>
  requireBounded(ambient, { isLarge } as RequestContext, object);

describe('an object that was made of a large body', () => {
  it('may be as large as a body may be', async () => {
    expect(await check(true, of(3 * 1024 * 1024 - 200))).toBeUndefined();
  });

  it('is measured with pauses if it has many values', async () => {
    pauses = 0;
    const values = Array.from({ length: 20_000 }, () => ({ name: 'abcdefgh' }));
    await check(true, { ...of(1), values } as unknown as ApiObject);
    expect(pauses).toBeGreaterThan(3);
  });

  it('is refused if defaults or admission made it larger', async () => {
    await expect(async () => check(true, of(3 * 1024 * 1024))).rejects.toThrow(
      StatusError.requestEntityTooLarge('limit is 3145728'),
    );
  });
});

describe('an object that was made of a small body', () => {
  it('is not measured', () => {
    const object = new Proxy(of(1), {
      get: () => {
        throw new Error('it was read');
      },
    });
    expect(() => check(false, object)).not.toThrow();
  });
});

describe('the rest of a write after admission', () => {
  const small = { isLarge: false } as RequestContext;
  const submitted = of(1);

  it('is that of a large object if admission made one of a small one', () => {
    expect(afterAdmission(small, submitted, of(40_000)).isLarge).toBe(true);
  });

  it('is as before if the object stayed small, or was large before', () => {
    const large = { isLarge: true } as RequestContext;
    expect(afterAdmission(small, submitted, of(20_000))).toBe(small);
    expect(afterAdmission(small, submitted, submitted)).toBe(small);
    expect(afterAdmission(large, submitted, of(1))).toBe(large);
  });
});
