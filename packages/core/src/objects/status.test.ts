import { describe, expect, it } from 'vitest';
import { failureStatus, successStatus } from './status.ts';

describe('Status', () => {
  it('prints its keys in the order of semantics/status#shape', () => {
    const status = failureStatus({ code: 404, reason: 'NotFound', message: 'gone', details: { name: 'x' } });
    expect(JSON.stringify(status)).toBe(
      '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"gone","reason":"NotFound","details":{"name":"x"},"code":404}',
    );
  });

  it('omits empty fields but prints empty details', () => {
    const details = { name: '', group: '', uid: '', causes: [], retryAfterSeconds: 0 };
    const status = failureStatus({ code: 500, reason: '', message: '', details });
    expect(JSON.stringify(status)).toBe(
      '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","details":{},"code":500}',
    );
  });

  it('has no code in the success of a delete', () => {
    expect(successStatus({ name: 'x', kind: 'pods', uid: 'u' })).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'x', kind: 'pods', uid: 'u' },
    });
    expect(successStatus({}, 201).code).toBe(201);
  });
});
