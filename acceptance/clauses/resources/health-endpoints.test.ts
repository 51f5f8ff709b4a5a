import type { HealthCheck, HealthEndpoint } from '@ashlar/http';
import { createApiServer } from '@ashlar/server';
import { createMemoryStore } from '@ashlar/storage';
import { createManualClock, createSeededRandom } from '@ashlar/testing';
import { expect } from 'vitest';
import { accessOptions, forEachAccess, toAccessServer } from '../access/access-server.fixture.ts';

const failing = (name: string, ...endpoints: readonly HealthEndpoint[]): HealthCheck => ({
  name,
  ...(endpoints.length > 0 && { endpoints }),
  check: (): void => {
    throw new Error('broken');
  },
});

forEachAccess('Health endpoints', (test) => {
  test('A088: /healthz is still supported', async ({ access }) => {
    expect(await access.root.get('/healthz')).toMatchObject({ status: 200, text: 'ok' });
    access.api.health.add(failing('x', 'healthz'));
    expect(await access.root.get('/healthz')).toMatchObject({ status: 500 });
  });

  test.for(['livez', 'readyz'] as const)(
    'A088: /%s returns what /healthz does',
    async (endpoint, { access }) => {
      expect(await access.root.get(`/${endpoint}`)).toMatchObject({ status: 200 });
      access.api.health.add(failing('x'));
      for (const path of ['/healthz', `/${endpoint}`])
        expect(await access.root.get(path)).toMatchObject({ status: 500 });
    },
  );

  test('A089: /livez returns whether the server is alive', async ({ access }) => {
    access.api.health.add(failing('x', 'readyz'));
    expect(await access.root.get('/livez')).toMatchObject({ status: 200, text: 'ok' });
    access.api.health.add(failing('y', 'livez'));
    expect(await access.root.get('/livez')).toMatchObject({ status: 500 });
  });

  test('A090: /readyz returns whether the server is ready', async ({ access }) => {
    access.api.health.add(failing('x', 'livez'));
    expect(await access.root.get('/readyz')).toMatchObject({ status: 200, text: 'ok' });
    access.api.health.add(failing('y', 'readyz'));
    expect(await access.root.get('/readyz')).toMatchObject({ status: 500 });
  });

  test.for(['livez', 'readyz'] as const)(
    'A091: each check that /%s lists has its own path',
    async (endpoint, { access }) => {
      const { text } = await access.root.get(`/${endpoint}?verbose`);
      const names = [...text.matchAll(/^\[\+\](.*) ok$/gm)].map(([, name]) => name);
      expect(names).toEqual(expect.arrayContaining(['ping', 'poststarthook/rbac/bootstrap-roles']));
      for (const name of names)
        expect(await access.root.get(`/${endpoint}/${name}`)).toMatchObject({ status: 200, text: 'ok' });
      access.api.health.add(failing('x', endpoint));
      expect(await access.root.get(`/${endpoint}/x`)).toMatchObject({ status: 500 });
      expect(await access.root.get(`/${endpoint}/ping`)).toMatchObject({ status: 200 });
      expect(await access.root.get(`/${endpoint}/none`)).toMatchObject({ status: 404 });
    },
  );

  test.for(['healthz', 'livez', 'readyz'] as const)(
    'A092: /%s has details for people, and a status for machines',
    async (endpoint, { access }) => {
      const { health } = access.api;
      health.add({ name: 'log', endpoints: [endpoint], check: () => {} });
      const { status, text } = await access.root.get(`/${endpoint}?verbose`);
      const lines = text.trimEnd().split('\n');
      expect([status, lines.at(-1)]).toEqual([200, 'healthz check passed']);
      expect(lines).toEqual(expect.arrayContaining(['[+]ping ok', '[+]log ok']));
      for (const line of lines.slice(0, -1)) expect(line).toMatch(/^\[\+\]\S+ ok$/);
      health.add(failing('x', endpoint));
      for (const query of ['', '?verbose'])
        expect(await access.root.get(`/${endpoint}${query}`)).toMatchObject({ status: 500 });
    },
  );

  test.for(['healthz', 'livez', 'readyz'] as const)(
    'A092: /%s excludes checks on request',
    async (endpoint, { access }) => {
      for (const name of ['x', 'y']) access.api.health.add(failing(name, endpoint));
      expect(await access.root.get(`/${endpoint}?exclude=x`)).toMatchObject({ status: 500 });
      const path = `/${endpoint}?exclude=x&exclude=y`;
      expect(await access.root.get(path)).toMatchObject({ status: 200, text: 'ok' });
      const { status, text } = await access.root.get(`${path}&verbose`);
      expect([status, text.split('\n')]).toEqual([
        200,
        expect.arrayContaining(['[+]ping ok', '[+]x excluded: ok', '[+]y excluded: ok']),
      ]);
    },
  );

  test.for([
    [0, 500],
    [60_000, 200],
  ] as const)(
    'A092: a start that fails within a grace period of %i ms gives livez %i',
    async ([grace, status], { vocabulary }) => {
      const clock = createManualClock();
      // it responds, but rejects writes
      const storage = Object.assign(createMemoryStore({ clock }), {
        put: () => Promise.reject(new Error('read only')),
      });
      const api = createApiServer({
        ...accessOptions(vocabulary),
        ambient: { clock, random: createSeededRandom(1), vocabulary },
        livezGraceMilliseconds: grace,
        storage,
      });
      await expect(api.ready).rejects.toThrow();
      const { root } = toAccessServer(api);
      const statuses = async (): Promise<number[]> => [
        (await root.get('/livez')).status,
        (await root.get('/readyz')).status,
      ];
      expect(await statuses()).toEqual([status, 500]);
      await clock.advance(60_000);
      expect(await statuses()).toEqual([500, 500]);
    },
  );
});
