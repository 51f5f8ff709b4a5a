import { describe, expect, it } from 'vitest';
import { InFlightLimiter } from './in-flight-limiter.ts';
import { PlainTextError } from './plain-text-error.ts';

const user = { name: 'u', groups: [] };
const administrator = { name: 'a', groups: ['system:masters'] };

describe('InFlightLimiter', () => {
  it('refuses what is beyond the limit until a place is free', () => {
    const limiter = new InFlightLimiter({ readOnly: 2, mutating: 1 });
    const release = limiter.enter('get', user);
    limiter.enter('list', user);
    expect(() => limiter.enter('get', user)).toThrow('Too many requests, please try again later.\n');
    limiter.enter('create', user);
    expect(() => limiter.enter('delete', user)).toThrow(PlainTextError);
    release();
    limiter.enter('get', user);
    expect(() => limiter.enter('get', user)).toThrow(PlainTextError);
  });

  it('answers in plain text, to be tried again after a second', () => {
    const limiter = new InFlightLimiter({ readOnly: 1 });
    limiter.enter('get', user);
    try {
      limiter.enter('get', user);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code: 429, headers: { 'retry-after': '1' } });
    }
  });

  it('refuses administrators never, but counts them', () => {
    const limiter = new InFlightLimiter({ mutating: 1 });
    for (let i = 0; i < 5; i++) limiter.enter('update', administrator);
    expect(() => limiter.enter('update', user)).toThrow(PlainTextError);
  });

  it('has no limit where it is 0', () => {
    const limiter = new InFlightLimiter({ readOnly: 0, mutating: 0 });
    for (let i = 0; i < 1000; i++) limiter.enter(i % 2 ? 'get' : 'patch', user);
  });

  it('lets 400 read and 200 write where nothing is said', () => {
    const limiter = new InFlightLimiter({});
    const entered = (verb: string): number => {
      for (let n = 0; ; n++) {
        try {
          limiter.enter(verb, user);
        } catch {
          return n;
        }
      }
    };
    expect([entered('get'), entered('patch')]).toEqual([400, 200]);
  });
});
