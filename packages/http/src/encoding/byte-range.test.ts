import { describe, expect, it } from 'vitest';
import { rangeResponse } from './byte-range.ts';

const bytes = new TextEncoder().encode('0123456789');
const ask = (range: string | undefined): unknown[] => {
  const { status, headers, body } = rangeResponse(range, bytes, { 'content-type': 'application/json' });
  return [status, headers['content-range'], new TextDecoder().decode(body as Uint8Array)];
};

describe('rangeResponse', () => {
  it.each([
    ['bytes=0-3', 206, 'bytes 0-3/10', '0123'],
    ['bytes=7-', 206, 'bytes 7-9/10', '789'],
    ['bytes=7-99', 206, 'bytes 7-9/10', '789'],
    ['bytes=-2', 206, 'bytes 8-9/10', '89'],
    ['bytes=-99', 206, 'bytes 0-9/10', '0123456789'],
    [undefined, 200, undefined, '0123456789'],
    ['bytes=0-1,3-4', 200, undefined, '0123456789'],
    ['bytes=10-', 416, 'bytes */10', 'invalid range: failed to overlap\n'],
    ['bytes=3-1', 416, undefined, 'invalid range\n'],
    ['bytes=-', 416, undefined, 'invalid range\n'],
    ['lines=1-2', 416, undefined, 'invalid range\n'],
  ])('%s: %i', (range, ...expected) => {
    expect(ask(range)).toEqual(expected);
  });

  it('says that ranges are possible', () => {
    expect(rangeResponse(undefined, bytes, {}).headers).toEqual({ 'accept-ranges': 'bytes' });
  });
});
