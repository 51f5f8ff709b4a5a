import type { ApiObject } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { type ObjectCodec, ObjectRecord } from './object-record.ts';

const codec: ObjectCodec = {
  encode: (object) => new TextEncoder().encode(JSON.stringify(object)),
  decode: (bytes) => JSON.parse(new TextDecoder().decode(bytes)) as ApiObject,
};

const recordOf = (): ObjectRecord =>
  new ObjectRecord(
    '/things/a',
    7,
    codec.encode({ apiVersion: 'v1', kind: 'Thing', metadata: { name: 'a', uid: 'u' } }),
    codec,
  );

describe('a record that another state has taken the place of', () => {
  it('keeps what was made of it for those who are told now, and makes it anew for who asks later', async () => {
    const record = recordOf();
    const { object } = record;
    let made = 0;
    const memo = () => record.memo('size', () => ++made);
    memo();
    record.supersede();
    expect(record.object).toBe(object);
    expect(memo()).toBe(1);
    await Promise.resolve();
    expect(record.object).not.toBe(object);
    expect(record.object).toEqual(object);
    expect(memo()).toBe(2);
  });
});
