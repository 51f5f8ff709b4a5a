import { describe, expect, it } from 'vitest';
import { createTestApi, toRequest } from '../testing/test-api.fixture.ts';
import { type LoggedRequest, withRequestLog } from './with-request-log.ts';

const NOTES = '/api/v1/namespaces/x/notes';

describe('a request log', () => {
  it('reports each request when it is answered', async () => {
    const api = createTestApi();
    const log: LoggedRequest[] = [];
    const handler = withRequestLog(
      async (request) => {
        api.clock.advance(5);
        return api.handler(request);
      },
      api.clock,
      (request) => log.push(request),
    );
    const headers = { 'user-agent': 'test/1', 'audit-id': 'mine' };
    await handler(toRequest('GET', `${NOTES}?limit=1`, { headers }));
    await handler(toRequest('DELETE', `${NOTES}/none`));
    expect(log).toEqual([
      {
        ...{ method: 'GET', url: `${NOTES}?limit=1`, status: 200, milliseconds: 5 },
        ...{ auditId: 'mine', userAgent: 'test/1', remoteAddress: undefined },
      },
      expect.objectContaining({ method: 'DELETE', status: 404, userAgent: '' }),
    ]);
  });

  it('reports a watch when it ends', async () => {
    const api = createTestApi();
    const log: LoggedRequest[] = [];
    const handler = withRequestLog(api.handler, api.clock, (request) => log.push(request));
    const abort = new AbortController();
    await handler(toRequest('GET', `${NOTES}?watch=1`, { signal: abort.signal }));
    api.clock.advance(1_000);
    expect(log).toEqual([]);
    abort.abort();
    expect(log).toEqual([
      expect.objectContaining({ url: `${NOTES}?watch=1`, status: 200, milliseconds: 1_000 }),
    ]);
  });
});
