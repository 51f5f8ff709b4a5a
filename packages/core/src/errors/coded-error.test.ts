import { describe, expect, it } from 'vitest';
import { CodedError } from './coded-error.ts';
import { ParseError } from './parse-error.ts';
import { StatusError } from './status-error.ts';

class LimitError extends CodedError {
  static override readonly code: string = 'ERR_LIMIT';
  override readonly name: string = 'LimitError';
  readonly limit: number = 3;
}

class DepthError extends LimitError {
  static override readonly code: string = 'ERR_DEPTH';
}

/** The module as a second installation loads it. */
const secondCopy = async <T>(file: string): Promise<T> => await import(/* @vite-ignore */ `${file}?second`);

describe('CodedError', () => {
  it('has the code of its class', () => {
    expect([new LimitError().code, new DepthError().code]).toEqual(['ERR_LIMIT', 'ERR_DEPTH']);
  });

  it('is an instance of its class and of the classes that it extends', () => {
    const depth: unknown = new DepthError();
    expect([DepthError.is(depth), LimitError.is(depth), CodedError.is(depth)]).toEqual([true, true, true]);
    expect([DepthError.is(new LimitError()), ParseError.is(depth)]).toEqual([false, false]);
    if (LimitError.is(depth)) expect(depth.limit).toBe(3);
  });

  it.each([undefined, null, 'ERR_LIMIT', 1, {}, Object.create(null), new Error('x'), { code: 'ERR_LIMIT' }])(
    'is not %o',
    (value) => {
      expect(LimitError.is(value)).toBe(false);
    },
  );
});

describe('a stack', () => {
  it.each([
    ['a parser', new ParseError('no')],
    ['a request', StatusError.badRequest('no')],
  ])('is left out in an error of %s, and in no other', (_, error) => {
    expect(error.stack).not.toContain('\n    at ');
    expect(new LimitError('no').stack).toContain('\n    at ');
  });
});

describe('errors of a second installation', () => {
  it('are recognised, although instanceof fails', async () => {
    const parse = await secondCopy<typeof import('./parse-error.ts')>('./parse-error.ts');
    const status = await secondCopy<typeof import('./status-error.ts')>('./status-error.ts');
    const errors = [new parse.ParseError('x'), status.StatusError.unauthorized()];
    expect([errors[0] instanceof ParseError, errors[1] instanceof StatusError]).toEqual([false, false]);
    expect([ParseError.is(errors[0]), StatusError.is(errors[1])]).toEqual([true, true]);
    expect([ParseError.is(errors[1]), StatusError.is(errors[0])]).toEqual([false, false]);
    expect(StatusError.is(errors[1], 'Unauthorized')).toBe(true);
    expect(StatusError.is(errors[1], 'NotFound')).toBe(false);
    expect(StatusError.from(errors[1])).toBe(errors[1]);
  });
});
