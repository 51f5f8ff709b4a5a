import { StatusError } from '@ashlar/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createTestApi } from '../testing/test-api.fixture.ts';
import { LargeBodies } from './large-bodies.ts';

const NOTES = '/api/v1/namespaces/x/notes';

afterEach(() => vi.restoreAllMocks());

/** What happens, in order: the bytes of a body that is counted, and the end of that. */
function recorded(): (number | string)[] {
  const events: (number | string)[] = [];
  vi.spyOn(LargeBodies.prototype, 'begin').mockImplementation(async (_, bytes) => {
    events.push(bytes);
    return () => void events.push('ended');
  });
  return events;
}

describe('a large body', () => {
  it('keeps its place until the error that repeats it is encoded', async () => {
    const events = recorded();
    vi.spyOn(StatusError.prototype, 'status', 'get').mockImplementation(() => {
      events.push('encoded');
      return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' };
    });
    const body = `{"metadata":{"name":"${'A'.repeat(100_000)}"}}`;
    await createTestApi().ask('POST', NOTES, { headers: { 'content-type': 'application/json' }, body });
    expect(events).toEqual([body.length, 'encoded', 'ended']);
  });
});
