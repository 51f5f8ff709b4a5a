import { describe, expect, it } from 'vitest';
import { andFinally, andThen, orElse } from './maybe-promise.ts';

const fails = (): never => {
  throw new Error('no');
};

describe('andThen', () => {
  it('applies the function at once to a value', () => {
    expect(andThen(1, (n) => n + 1)).toBe(2);
  });

  it('applies the function when a promise resolves', async () => {
    const result = andThen(Promise.resolve(1), (n) => n + 1);
    expect(result).toBeInstanceOf(Promise);
    expect(await result).toBe(2);
  });
});

describe('orElse', () => {
  const translate = (error: unknown): unknown => new Error(`translated: ${(error as Error).message}`);

  it('returns values and resolves promises unchanged', async () => {
    expect(orElse(() => 1, translate)).toBe(1);
    expect(await orElse(async () => 1, translate)).toBe(1);
  });

  it('translates what is thrown and what is rejected', async () => {
    expect(() => orElse(fails, translate)).toThrow('translated: no');
    await expect(orElse(() => Promise.reject(new Error('no')), translate)).rejects.toThrow('translated: no');
  });
});

describe('andFinally', () => {
  it('calls back once before it returns a value or throws', () => {
    let calls = 0;
    const done = (): void => void calls++;
    expect(andFinally(() => 1, done)).toBe(1);
    expect(() => andFinally(fails, done)).toThrow('no');
    expect(calls).toBe(2);
  });

  it('calls back once when a promise has settled', async () => {
    let calls = 0;
    const done = (): void => void calls++;
    const pending = andFinally(async () => 1, done);
    expect(calls).toBe(0);
    expect(await pending).toBe(1);
    await expect(andFinally(() => Promise.reject(new Error('no')), done)).rejects.toThrow('no');
    expect(calls).toBe(2);
  });
});
