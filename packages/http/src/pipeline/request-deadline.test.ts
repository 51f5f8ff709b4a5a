import { StatusError } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import { parseRequestInfo } from '../request/request-info.ts';
import { requestDeadline, withDeadline } from './request-deadline.ts';

const deadline = (url: string): number => requestDeadline(parseRequestInfo('GET', url), 60_000);

describe('requestDeadline', () => {
  it.each([
    ['/api/v1/notes', 60_000],
    ['/api/v1/notes?timeout=', 60_000],
    ['/api/v1/notes?timeout=5s', 5000],
    ['/api/v1/notes?timeout=1500ms', 1500],
    ['/api/v1/notes?timeout=2m', 60_000],
    ['/api/v1/notes?timeout=0', 60_000],
    ['/api/v1/notes?timeout=-1s', 60_000],
    ['/healthz?timeout=1s', 1000],
    ['/api/v1/notes?watch=1&timeout=nonsense', 60_000],
    ['/api/v1/notes/a/proxy/b?timeout=x', 60_000],
    ['/api/v1/notes/a/log?timeout=1s', 60_000],
  ])('of %s is %d ms', (url, expected) => {
    expect(deadline(url)).toBe(expected);
  });

  it('rejects what is not a duration', () => {
    expect(() => deadline('/a?timeout=5')).toThrow(
      'invalid timeout specified in the request URL - time: missing unit in duration "5"',
    );
    expect(() => deadline('/a?timeout=x')).toThrow(StatusError);
  });
});

describe('withDeadline', () => {
  it('returns a response that comes in time', async () => {
    const clock = createSteppedClock();
    const response = withDeadline(clock, 1000, Promise.resolve('a'));
    expect(await response).toBe('a');
    clock.advance(2000);
    await expect(withDeadline(clock, 1000, Promise.reject(new Error('b')))).rejects.toThrow('b');
  });

  it('gives up on one that does not', async () => {
    const clock = createSteppedClock();
    const response = withDeadline(clock, 1000, new Promise(() => {}));
    clock.advance(999);
    clock.advance(1);
    await expect(response).rejects.toMatchObject({
      code: 504,
      message: expect.stringContaining(
        '"message":"Timeout: request did not complete within the allotted timeout"',
      ),
    });
  });

  it('ignores failures after the deadline', async () => {
    const clock = createSteppedClock();
    let fail: (error: Error) => void = () => {};
    const late = new Promise((_, reject) => {
      fail = reject;
    });
    const response = withDeadline(clock, 1000, late);
    clock.advance(1000);
    await expect(response).rejects.toMatchObject({ code: 504 });
    fail(new Error('late'));
  });
});
