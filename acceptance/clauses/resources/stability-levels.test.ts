import { expect } from 'vitest';
import { CONFIG_MAPS, forEachVocabulary } from '../clause-server.fixture.ts';

interface Group {
  readonly name: string;
  readonly versions: readonly { readonly version: string }[];
}

forEachVocabulary('Stability levels of API versions', (test) => {
  test('R199: no alpha version is served by default', async ({ server }) => {
    const groups = (await server.get('/apis')).body.groups as Group[];
    const versions = groups.flatMap((group) => group.versions.map(({ version }) => version));
    expect(versions.filter((version) => version.includes('alpha'))).toEqual([]);
  });

  test('R200: no beta version is served by default', async ({ server }) => {
    const groups = (await server.get('/apis')).body.groups as Group[];
    const versions = groups.flatMap((group) => group.versions.map(({ version }) => version));
    expect(versions.filter((version) => version.includes('beta'))).toEqual([]);
  });

  test('R201: every group has a stable version', async ({ server }) => {
    const groups = (await server.get('/apis')).body.groups as Group[];
    expect(groups.length).toBeGreaterThan(1);
    for (const { versions } of groups) {
      expect(versions.map(({ version }) => version)).toContainEqual(expect.stringMatching(/^v\d+$/));
    }
  });

  test('R202: JSON and Protobuf have the same schema', async ({ server, vocabulary }) => {
    const type = vocabulary.protobufMediaType;
    const made = await server.configMap('x', {
      data: { key: 'value' },
      immutable: false,
      metadata: { labels: { app: 'shop' }, finalizers: ['example.com/a'] },
    });
    const { bytes } = await server.get(`${CONFIG_MAPS}/x`, { accept: type });
    const put = await server.send('PUT', `${CONFIG_MAPS}/x`, {
      body: bytes as Uint8Array<ArrayBuffer>,
      headers: { 'content-type': type },
    });
    expect(put).toMatchObject({ status: 200 });
    expect(put.body).toEqual(made);
  });

  test('R216: the API is that of release 1.32', async ({ server }) => {
    const version = (await server.get('/version')).body;
    expect(version).toMatchObject({
      major: '1',
      minor: '32',
      gitVersion: expect.stringMatching(/^v1\.32\./),
    });
  });
});
