import { runAtOnce, StatusError } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { plainJson } from '../encoding/representation.ts';
import { errorResponse, errorResponseSteps } from './error-response.ts';

describe('errorResponseSteps', () => {
  it.each([10, 500_000])('returns what errorResponse returns, for a message of %d characters', (length) => {
    const error = StatusError.badRequest(`<${'a'.repeat(length)}>`);
    expect(runAtOnce(errorResponseSteps(error, plainJson, true))).toEqual(
      errorResponse(error, plainJson, true),
    );
  });

  it('pauses inside of thousands of causes', () => {
    const causes = Array.from({ length: 50_000 }, (_, i) => ({ field: `a${i}`, message: 'b', reason: 'c' }));
    const error = new StatusError({ code: 422, reason: 'Invalid', message: 'a', details: { causes } });
    const steps = errorResponseSteps(error, plainJson, true);
    let pauses = 0;
    let result = steps.next();
    for (; !result.done; result = steps.next()) pauses++;
    expect(pauses).toBeGreaterThan(10);
    expect(result.value).toEqual(errorResponse(error, plainJson, true));
  });

  it('pauses inside of a long message', () => {
    const steps = errorResponseSteps(StatusError.badRequest(`<${'a'.repeat(1_000_000)}>`), plainJson, true);
    let pauses = 0;
    for (; !steps.next().done; pauses++);
    expect(pauses).toBeGreaterThan(10);
  });
});
