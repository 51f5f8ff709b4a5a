import type { UserInfo } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { InFlightLimiter } from './in-flight-limiter.ts';
import { PlainTextError } from './plain-text-error.ts';

const user = { name: 'u', groups: [] };
const administrator = { name: 'a', groups: ['system:masters'] };

const requestOf = (verb: string, caller: UserInfo) => ({ info: { verb }, user: caller, isTerminated: false });

describe('InFlightLimiter', () => {
  it('rejects requests beyond the limit until a slot is free', () => {
    const limiter = new InFlightLimiter({ readOnly: 2, mutating: 1 });
    const release = limiter.acquire(requestOf('get', user));
    limiter.acquire(requestOf('list', user));
    expect(() => limiter.acquire(requestOf('get', user))).toThrow(
      'Too many requests, please try again later.\n',
    );
    limiter.acquire(requestOf('create', user));
    expect(() => limiter.acquire(requestOf('delete', user))).toThrow(PlainTextError);
    release();
    limiter.acquire(requestOf('get', user));
    expect(() => limiter.acquire(requestOf('get', user))).toThrow(PlainTextError);
  });

  it('responds in plain text with a Retry-After of one second', () => {
    const limiter = new InFlightLimiter({ readOnly: 1 });
    limiter.acquire(requestOf('get', user));
    try {
      limiter.acquire(requestOf('get', user));
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code: 429, headers: { 'retry-after': '1' } });
    }
  });

  it('counts administrators, but never rejects them', () => {
    const limiter = new InFlightLimiter({ mutating: 1 });
    for (let i = 0; i < 5; i++) limiter.acquire(requestOf('update', administrator));
    expect(() => limiter.acquire(requestOf('update', user))).toThrow(PlainTextError);
  });

  it('has no limit if it is 0', () => {
    const limiter = new InFlightLimiter({ readOnly: 0, mutating: 0 });
    for (let i = 0; i < 1000; i++) limiter.acquire(requestOf(i % 2 ? 'get' : 'patch', user));
  });

  it('allows 400 reads and 200 writes by default', () => {
    const limiter = new InFlightLimiter({});
    const entered = (verb: string): number => {
      for (let n = 0; ; n++) {
        try {
          limiter.acquire(requestOf(verb, { name: `u${n}`, groups: [] }));
        } catch {
          return n;
        }
      }
    };
    expect([entered('get'), entered('patch')]).toEqual([400, 200]);
  });

  it('releases a slot once', () => {
    const limiter = new InFlightLimiter({ mutating: 2 });
    const release = limiter.acquire(requestOf('create', user));
    limiter.acquire(requestOf('create', user));
    release();
    release();
    expect(limiter.current('mutating')).toBe(1);
    limiter.acquire(requestOf('create', user));
    expect(() => limiter.acquire(requestOf('create', user))).toThrow(PlainTextError);
  });

  it('leaves room for others if one user takes the maximum', () => {
    const limiter = new InFlightLimiter({ mutating: 60, readOnly: 50, readOnlyPerUser: 7 });
    const entered = (verb: string, name: string): number => {
      for (let n = 0; ; n++) {
        try {
          limiter.acquire(requestOf(verb, { name, groups: [] }));
        } catch {
          return n;
        }
      }
    };
    expect([entered('create', 'system:anonymous'), entered('create', 'a'), entered('create', 'b')]).toEqual([
      30, 30, 0,
    ]);
    expect([entered('get', 'a'), entered('get', 'b')]).toEqual([7, 7]);
    limiter.acquire(requestOf('create', administrator));
  });

  it('lets one user take all slots if they are few, or if configured', () => {
    for (const limits of [{ mutating: 20 }, { mutating: 100, mutatingPerUser: 0 }]) {
      const limiter = new InFlightLimiter(limits);
      for (let i = 0; i < limits.mutating; i++) limiter.acquire(requestOf('create', user));
      expect(() => limiter.acquire(requestOf('create', user))).toThrow(PlainTextError);
    }
  });

  it('drops users without requests', () => {
    const limiter = new InFlightLimiter({ mutating: 40 });
    const releases = Array.from({ length: 20 }, () => limiter.acquire(requestOf('create', user)));
    expect(() => limiter.acquire(requestOf('create', user))).toThrow(PlainTextError);
    for (const release of releases) release();
    for (let i = 0; i < 20; i++) limiter.acquire(requestOf('create', user));
    expect(() => limiter.acquire(requestOf('create', user))).toThrow(PlainTextError);
  });
});
