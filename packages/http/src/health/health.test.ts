import { Metrics, orchVocabulary as vocabulary } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import type { Compress } from '../encoding/compressed-response.ts';
import { createTestApi, type TestApi, toRequest } from '../testing/test-api.fixture.ts';
import { HealthChecks } from './health.ts';

function healthy(): TestApi {
  const api = createTestApi();
  api.health.add({ name: 'ping', check: () => {} });
  return api;
}

const failing = (error: unknown) => ({
  name: 'poststarthook/x',
  check: () => Promise.reject(error),
});

describe('health', () => {
  it.each(['/healthz', '/livez', '/readyz', '/readyz/ping'])('%s is ok, for any method', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const { status, headers, text } = await healthy().ask(method, path);
      expect([status, text]).toEqual([200, 'ok']);
      expect(headers['content-type']).toBe('text/plain; charset=utf-8');
      expect(headers['x-content-type-options']).toBe(path === '/readyz/ping' ? undefined : 'nosniff');
    }
  });

  it.each(['/healthz/', '/livez/ping/', '//readyz'])('%s is not found', async (path) => {
    expect((await healthy().ask('GET', path)).status).toBe(404);
  });

  it.each(['/healthz', '/livez', '/readyz'])('%s lists its checks on request', async (path) => {
    const api = healthy();
    api.health.add({ name: 'log', check: async () => {} });
    expect((await api.ask('GET', `${path}?verbose`)).text).toBe(
      '[+]ping ok\n[+]log ok\nhealthz check passed\n',
    );
  });

  it('fails with the name of the endpoint, and hides the reason', async () => {
    const api = healthy();
    api.health.add({ ...failing(new Error('secret')), endpoints: ['readyz'] });
    const { status, text } = await api.ask('GET', '/readyz');
    expect([status, text]).toEqual([
      500,
      '[+]ping ok\n[-]poststarthook/x failed: reason withheld\nreadyz check failed\n',
    ]);
    expect((await api.ask('GET', '/livez')).status).toBe(200);
  });

  it('reports why a single check fails', async () => {
    const api = healthy();
    api.health.add(failing(new Error('why')));
    const { status, text } = await api.ask('GET', '/healthz/poststarthook/x');
    expect([status, text]).toEqual([500, 'internal server error: why\n']);
  });

  it.each([new Error(''), '', undefined])(
    'treats an error without a message as a failure: %o',
    async (error) => {
      const api = healthy();
      api.health.add(failing(error));
      expect((await api.ask('GET', '/healthz')).status).toBe(500);
      expect((await api.ask('GET', '/healthz/poststarthook/x')).status).toBe(500);
    },
  );

  it('excludes checks, and reports unknown exclusions', async () => {
    const api = healthy();
    api.health.add(failing(new Error('x')));
    const { status, text } = await api.ask(
      'GET',
      '/healthz?verbose&exclude=poststarthook/x&exclude=b&exclude=a&exclude=b',
    );
    expect([status, text]).toEqual([
      200,
      '[+]ping ok\n[+]poststarthook/x excluded: ok\n' +
        'warn: some health checks cannot be excluded: no matches for "a", "b"\nhealthz check passed\n',
    ]);
  });

  it('has a grace period for startup checks on livez only', async () => {
    const clock = createSteppedClock();
    const health = new HealthChecks({ clock, vocabulary, livezGraceMilliseconds: 1000 });
    const api = createTestApi({ health });
    health.add({ ...failing(new Error('not yet')), isStartup: true });
    health.add({ name: 'ping', check: () => {} });
    const statuses = async (): Promise<readonly number[]> =>
      Promise.all(
        ['/livez', '/livez/poststarthook/x', '/readyz', '/healthz'].map(
          async (path) => (await api.ask('GET', path)).status,
        ),
      );
    expect(await statuses()).toEqual([200, 200, 500, 500]);
    clock.advance(999);
    expect(await statuses()).toEqual([200, 200, 500, 500]);
    clock.advance(1);
    expect(await statuses()).toEqual([500, 500, 500, 500]);
  });

  it('has no grace period for other checks', async () => {
    const health = new HealthChecks({
      clock: createSteppedClock(),
      vocabulary,
      livezGraceMilliseconds: 1000,
    });
    health.add(failing(new Error('broken')));
    expect((await createTestApi({ health }).ask('GET', '/livez')).status).toBe(500);
  });

  it('is counted per check', async () => {
    let isWell = false;
    const api = createTestApi({ metrics: new Metrics() });
    api.health.add({ name: 'ping', check: () => {} });
    api.health.add({
      ...{ name: 'disk', endpoints: ['readyz'] },
      check: () => {
        if (!isWell) throw new Error('full');
      },
    });
    await api.ask('GET', '/readyz');
    isWell = true;
    await api.ask('GET', '/readyz?exclude=ping');
    await api.ask('GET', '/livez');
    const { text, headers } = await api.ask('GET', '/metrics/slis');
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8; escaping=values');
    expect(text.split('\n').filter((line) => !line.startsWith('#'))).toEqual([
      'orch_healthcheck{name="ping",type="readyz"} 1',
      'orch_healthcheck{name="disk",type="readyz"} 1',
      'orch_healthcheck{name="ping",type="livez"} 1',
      'orch_healthchecks_total{name="ping",type="readyz",status="success"} 1',
      'orch_healthchecks_total{name="disk",type="readyz",status="error"} 1',
      'orch_healthchecks_total{name="disk",type="readyz",status="success"} 1',
      'orch_healthchecks_total{name="ping",type="livez",status="success"} 1',
      '',
    ]);
    expect((await api.ask('GET', '/metrics')).text).not.toContain('healthcheck');
  });

  it('is counted anew after a reset', async () => {
    const api = createTestApi({ metrics: new Metrics() });
    api.health.add({ name: 'ping', check: () => {} });
    await api.ask('GET', '/readyz');
    const reset = await api.ask('DELETE', '/metrics/slis');
    expect([reset.status, reset.text]).toEqual([200, 'metrics reset\n']);
    expect(reset.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect((await api.ask('GET', '/metrics/slis')).text).toBe('');
    await api.ask('GET', '/version');
    expect((await api.ask('POST', '/metrics')).text).toContain('apiserver_request_total{verb="GET"');
    expect((await api.ask('DELETE', '/metrics')).text).toBe('metrics reset\n');
    const { text, headers } = await api.ask('GET', '/metrics');
    expect(text).not.toContain('verb="GET"');
    expect(headers['process-start-time-unix']).toMatch(/^\d+$/);
  });

  it.each([
    ['gzip', 'gzip'],
    ['br, gzip;q=0', 'gzip'],
    ['gzipped', undefined],
    ['*', undefined],
  ])('is compressed at any length for %s', async (accepted, encoding) => {
    const compress: Compress = (pieces) =>
      new Blob([...pieces] as Uint8Array<ArrayBuffer>[]).stream().pipeThrough(new CompressionStream('gzip'));
    const { handler } = createTestApi({ metrics: new Metrics(), compress });
    for (const path of ['/metrics', '/metrics/slis']) {
      const { headers } = await handler(toRequest('GET', path, { headers: { 'accept-encoding': accepted } }));
      expect([headers['content-encoding'], headers.vary]).toEqual([encoding, undefined]);
    }
  });

  it.each(['/healthz/none', '/healthzz', '/health'])('returns 404 for %s', async (path) => {
    const { status, text } = await healthy().ask('GET', path);
    expect([status, text]).toEqual([404, '404 page not found\n']);
  });
});
