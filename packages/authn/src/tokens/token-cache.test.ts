import type { Authentication } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import { type TokenCacheOptions, withTokenCache } from './token-cache.ts';

const random = { bytes: (into: Uint8Array) => into.fill(7) };

function setUp(result: (token: string) => Authentication, options: Partial<TokenCacheOptions> = {}) {
  const clock = createSteppedClock(0);
  const asked: string[] = [];
  const authenticateToken = async (token: string): Promise<Authentication> => {
    asked.push(token);
    return result(token);
  };
  return {
    clock,
    asked,
    cache: withTokenCache({ authenticateToken }, { ambient: { clock, random }, ...options }),
  };
}

const userOf = (token: string): Authentication => ({
  outcome: 'authenticated',
  user: { name: `of ${token}`, groups: [] },
});

describe('withTokenCache', () => {
  it('does not call the authenticator for other forms of tokens', async () => {
    const asked: string[] = [];
    const inner = {
      hasForm: (token: string) => token.startsWith('k'),
      authenticateToken: async (token: string) => {
        asked.push(token);
        return userOf(token);
      },
    };
    const cache = withTokenCache(inner, { ambient: { clock: createSteppedClock(0), random } });
    expect(cache.authenticateToken('x')).toEqual({ outcome: 'none' });
    expect(await cache.authenticateToken('k')).toMatchObject({ outcome: 'authenticated' });
    expect(asked).toEqual(['k']);
    expect([cache.hasForm?.('x'), cache.hasForm?.('k')]).toEqual([false, true]);
  });

  it('caches authenticated tokens for ten seconds, and returns them synchronously', async () => {
    const { cache, asked, clock } = setUp(userOf);
    expect(await cache.authenticateToken('a')).toMatchObject({ user: { name: 'of a' } });
    expect(cache.authenticateToken('a')).toMatchObject({ user: { name: 'of a' } });
    expect(await cache.authenticateToken('b')).toMatchObject({ user: { name: 'of b' } });
    expect(await cache.authenticateToken('a', ['x'])).toMatchObject({ user: { name: 'of a' } });
    expect(asked).toEqual(['a', 'b', 'a']);
    clock.advance(10_001);
    await cache.authenticateToken('a');
    expect(asked).toHaveLength(4);
  });

  it('does not cache rejections', async () => {
    const { cache, asked } = setUp(() => ({ outcome: 'none' }));
    for (let i = 0; i < 3; i++) await cache.authenticateToken('a');
    expect(asked).toHaveLength(3);
  });

  it('shares one call between concurrent requests', async () => {
    const { cache, asked } = setUp(userOf);
    await Promise.all(Array.from({ length: 5 }, () => cache.authenticateToken('a')));
    expect(asked).toEqual(['a']);
  });

  it('calls again after a failure', async () => {
    let fails = true;
    const { cache } = setUp((token) => {
      if (fails) throw new Error('down');
      return userOf(token);
    });
    await expect(cache.authenticateToken('a')).rejects.toThrow('down');
    fails = false;
    expect(await cache.authenticateToken('a')).toMatchObject({ outcome: 'authenticated' });
  });

  it('limits the number of cached results', async () => {
    const { cache, asked } = setUp(userOf, { maximum: 2 });
    for (const token of ['a', 'b', 'c', 'a']) await cache.authenticateToken(token);
    expect(asked).toEqual(['a', 'b', 'c', 'a']);
  });

  it('can be disabled', async () => {
    const { cache, asked } = setUp(userOf, { milliseconds: 0 });
    for (let i = 0; i < 2; i++) await cache.authenticateToken('a');
    expect(asked).toHaveLength(2);
  });

  it('stores tokens by a hash of token and audiences', async () => {
    const hashed: string[] = [];
    const digest = (text: string) => {
      hashed.push(text);
      return 'always the same';
    };
    const { cache, asked } = setUp(userOf, { digest });
    for (const audiences of [undefined, [], ['x']]) await cache.authenticateToken('a', audiences);
    expect(hashed).toEqual(['["a",null]', '["a",[]]', '["a",["x"]]']);
    expect(asked).toEqual(['a']);
  });
});
