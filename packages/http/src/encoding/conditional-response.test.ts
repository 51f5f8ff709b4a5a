import type { ServerRequest } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { conditionalResponse } from './conditional-response.ts';

const TAG = '"A"';
const MODIFIED = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const at = (seconds: number): string => new Date(MODIFIED + seconds * 1000).toUTCString();

function response(headers: Readonly<Record<string, string>>, method = 'GET') {
  const document = { bytes: new Uint8Array(10), tag: TAG, modified: MODIFIED };
  const request = { method, headers: { get: (name: string) => headers[name] } } as unknown as ServerRequest;
  return conditionalResponse(request, document, { 'content-type': 'application/json' });
}

describe('the response with a tagged document', () => {
  it.each([
    ['if-match', TAG, 200],
    ['if-match', '*', 200],
    ['if-match', `"B", ${TAG}`, 200],
    ['if-match', `W/${TAG}`, 412],
    ['if-match', '"B"', 412],
    ['if-match', '', 200],
    ['if-unmodified-since', at(0), 200],
    ['if-unmodified-since', at(-1), 412],
    ['if-unmodified-since', 'sometime', 200],
    ['if-none-match', TAG, 304],
    ['if-none-match', `W/${TAG}`, 304],
    ['if-none-match', '"B"', 200],
    ['if-none-match', '', 200],
    ['if-modified-since', at(0), 304],
    ['if-modified-since', at(-1), 200],
    ['if-modified-since', 'sometime', 200],
  ])('depends on %s: %s', (name, value, status) => {
    expect(response({ [name]: value }).status).toBe(status);
  });

  it('is 412 instead of 304 for other methods, which time does not matter to', () => {
    for (const name of ['*', TAG]) expect(response({ 'if-none-match': name }, 'POST').status).toBe(412);
    expect(response({ 'if-none-match': '*' }, 'HEAD').status).toBe(304);
    expect(response({ 'if-modified-since': at(0) }, 'POST').status).toBe(200);
  });

  it.each([
    [TAG, 206],
    [at(0), 206],
    ['"B"', 200],
    [`W/${TAG}`, 200],
    [at(1), 200],
    ['sometime', 200],
    ['', 206],
  ])('has a range if it is still the one of which the client has a part: %s', (ifRange, status) => {
    expect(response({ range: 'bytes=0-3', 'if-range': ifRange }).status).toBe(status);
  });
});
