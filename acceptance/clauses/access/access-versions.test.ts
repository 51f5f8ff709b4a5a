import { groupName } from '@ashlar/core';
import { parseFeatureGates } from '@ashlar/lifecycle';
import { createTestServer } from '@ashlar/testing';
import { expect } from 'vitest';
import { type AccessServer, accessOptions, forEachAccess, toAccessServer } from './access-server.fixture.ts';
import { storeBootstrapToken } from './bootstrap-token.fixture.ts';

/** The versions of a kind of review in which one can be posted. */
async function versionsOf({ api, root }: AccessServer, declared: string, kind: string): Promise<string[]> {
  const group = groupName(api.vocabulary, declared);
  const accepted: string[] = [];
  for (const version of ['v1alpha1', 'v1beta1', 'v1', 'v2']) {
    const path = `/apis/${group}/${version}/${kind.toLowerCase()}s`;
    const spec = { token: 't', user: 'al', nonResourceAttributes: { verb: 'get', path: '/' } };
    const { status } = await root.post(path, { apiVersion: `${group}/${version}`, kind, spec });
    expect([201, 404]).toContain(status);
    if (status === 201) accepted.push(version);
  }
  return accepted;
}

forEachAccess('Versions of access', (test) => {
  test('A158: token reviews are served in v1', async ({ access }) => {
    expect(await versionsOf(access, 'authentication.', 'TokenReview')).toEqual(['v1']);
  });

  test('A159: SelfSubjectReview is in v1, and no longer in older versions', async ({ access }) => {
    expect(await versionsOf(access, 'authentication.', 'SelfSubjectReview')).toEqual(['v1']);
  });

  test.for(['SubjectAccessReview', 'SelfSubjectAccessReview'])(
    'A160: a %s is in v1, and no longer in v1beta1',
    async (kind, { access, vocabulary }) => {
      expect(await versionsOf(access, 'authorization.', kind)).toEqual(['v1']);
      const group = groupName(vocabulary, 'authorization.');
      const { versions } = (await access.root.get(`/apis/${group}`)).body;
      expect(versions).toEqual([{ groupVersion: `${group}/v1`, version: 'v1' }]);
    },
  );

  test('A164: bootstrap tokens need no gate', async ({ vocabulary }) => {
    await using api = await createTestServer({
      ...accessOptions(vocabulary),
      featureGates: parseFeatureGates('AllAlpha=false,AllBeta=false'),
    });
    const server = toAccessServer(api);
    await storeBootstrapToken(server);
    expect(await server.as('abcdef.0123456789abcdef').get('/version')).toMatchObject({ status: 200 });
  });
});
