import type { RangeOptions } from '@ashlar/storage';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EtcdClient } from '../client/etcd-client.ts';
import type { EtcdMethod } from '../client/etcd-methods.ts';
import { type RangeRequest, type RangeResponse, rangeResponse } from '../messages/key-value-messages.ts';
import { MessageTooLongError } from '../messages/message-frames.ts';
import { EtcdKeys } from './etcd-keys.ts';
import { readRange } from './read-range.ts';

/** A client over a fixed set of values, which rejects long responses as the real one does. */
function clientOver(sizes: ReadonlyMap<string, number>, asked: number[]): EtcdClient {
  const stored = [...sizes.keys()].sort();
  const response = ({
    key,
    rangeEnd = `${key}\u0000`,
    limit = 0,
    countOnly,
  }: RangeRequest): RangeResponse => {
    const found = stored.filter((one) => one >= key && one < rangeEnd);
    const page = countOnly ? [] : limit > 0 ? found.slice(0, limit) : found;
    const kvs = page.map((key) => ({
      key,
      value: new Uint8Array(sizes.get(key) ?? 0),
      createRevision: 3,
      modRevision: 3,
      version: 1,
    }));
    return { header: { clusterId: 1n, revision: 9 }, kvs, count: found.length };
  };
  const call = async (
    _: EtcdMethod<RangeRequest, RangeResponse>,
    request: RangeRequest,
    limit = Infinity,
  ) => {
    const bytes = rangeResponse.encode(response(request));
    if (bytes.length > limit) throw new MessageTooLongError(bytes.length, limit);
    asked.push(bytes.length);
    return rangeResponse.decode(bytes);
  };
  const revisionOf = ({ header }: RangeResponse): number => header?.revision ?? 0;
  return { call, revisionOf } as unknown as EtcdClient;
}

describe('reading in pages', () => {
  test('returns what one page would, in pages that are not too long', async () => {
    const value = fc.oneof({ weight: 9, arbitrary: fc.nat(200) }, { weight: 1, arbitrary: fc.nat(5000) });
    const entries = fc.dictionary(fc.stringMatching(/^[a-f]{1,3}$/), value, { maxKeys: 80 });
    const options = fc.record(
      { after: fc.stringMatching(/^\/p\/[a-f]{1,2}$/), limit: fc.nat(90), atRevision: fc.constant(9) },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(entries, options, async (entries, options: RangeOptions) => {
        const sizes = new Map(Object.entries(entries).map(([name, size]) => [`/r/p/${name}`, size]));
        const asked: number[] = [];
        const client = clientOver(sizes, asked);
        const pages = { limit: 2000, firstEntries: 8 };
        const got = await readRange(client, new EtcdKeys('/r'), '/p/', options, pages);
        const below = [...sizes.keys()].map((key) => key.slice(2)).sort();
        const all = below.filter((key) => options.after === undefined || key > options.after);
        const expected = all.slice(0, options.limit);
        expect(got.entries.map((entry) => entry.key)).toEqual(expected);
        expect([got.remaining, got.revision]).toEqual([all.length - expected.length, 9]);
        expect(asked.every((bytes) => bytes <= 5100)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
