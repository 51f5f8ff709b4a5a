import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { printErrors } from './print-errors.ts';

const print = vi.spyOn(console, 'error');

beforeEach(() => void print.mockReset().mockImplementation(() => {}));
afterEach(() => void print.mockReset());

it('prints an error with its request, once, whoever reports it', () => {
  const error = new Error('broken', { cause: new Error('because') });
  printErrors('server')(error, { method: 'GET', url: '/api/v1/pods' });
  printErrors('listener')(error);
  expect(print.mock.calls).toEqual([['ashlar: server GET /api/v1/pods:', error]]);
});

it('prints what comes again and again only when it changes', () => {
  const onError = printErrors('informer');
  for (const text of ['a', 'a', 'b', 'b', 'a']) onError(new Error(text));
  expect(print.mock.calls.map(([, error]) => (error as Error).message)).toEqual(['a', 'b', 'a']);
  onError('a text', 3);
  expect(print.mock.calls.at(-1)).toEqual(['ashlar: informer:', 'a text']);
});
