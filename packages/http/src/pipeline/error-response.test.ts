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

  it('pauses inside of a long message', () => {
    const steps = errorResponseSteps(StatusError.badRequest(`<${'a'.repeat(1_000_000)}>`), plainJson, true);
    let pauses = 0;
    for (; !steps.next().done; pauses++);
    expect(pauses).toBeGreaterThan(10);
  });
});
