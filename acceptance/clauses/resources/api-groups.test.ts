import { expect } from 'vitest';
import { CONFIG_MAPS, forEachVocabulary, GADGETS, WIDGETS } from '../clause-server.fixture.ts';

forEachVocabulary('API groups', (test) => {
  test('R203: the core group is v1 below /api', async ({ server }) => {
    expect((await server.get('/api')).body.versions).toEqual(['v1']);
    expect(await server.get('/api/v1')).toMatchObject({
      status: 200,
      body: { kind: 'APIResourceList', groupVersion: 'v1' },
    });
    expect((await server.get('/api/v1/configmaps')).body.apiVersion).toBe('v1');
    const stated = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } };
    expect(await server.post(CONFIG_MAPS, stated)).toMatchObject({ status: 201 });
  });

  test('R204: every other group is below /apis by its name', async ({ server, vocabulary }) => {
    const groups = (await server.get('/apis')).body.groups as { name: string; versions: Version[] }[];
    expect(groups.map(({ name }) => name)).toEqual(
      expect.arrayContaining([`coordination.${vocabulary.groupDomain}`, 'example.com']),
    );
    for (const { name, versions } of groups) {
      for (const { groupVersion, version } of versions) {
        expect(groupVersion).toBe(`${name}/${version}`);
        expect((await server.get(`/apis/${name}/${version}`)).body).toMatchObject({ groupVersion });
      }
    }
    for (const path of [WIDGETS, GADGETS]) {
      expect((await server.get(path)).body.apiVersion).toBe('example.com/v1');
    }
  });
});

interface Version {
  readonly groupVersion: string;
  readonly version: string;
}
