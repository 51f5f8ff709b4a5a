import type { AdmissionPlugin } from '@ashlar/admission';
import type { ResourceClient } from '@ashlar/client';
import { kubernetesVocabulary, orchVocabulary, type UserInfo, type Vocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import type { ApiServer } from './api-server.ts';
import type { ApiServerOptions } from './api-server-options.ts';
import { createApiServer } from './create-api-server.ts';

const configMapsOf = ({ client }: ApiServer): ResourceClient =>
  client
    .resource({ group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap' })
    .namespace('default');

/** The users of whom admission was asked about writes of config maps while one was deleted with the propagation Orphan. */
async function usersOf(vocabulary: Vocabulary, options: ApiServerOptions): Promise<readonly UserInfo[]> {
  const users: UserInfo[] = [];
  const recorder: AdmissionPlugin = {
    name: 'Recorder',
    handles: () => true,
    validate: ({ resource, user }) => {
      if (resource.resource === 'configmaps') users.push(user);
    },
  };
  await using server = createApiServer({ vocabulary, admission: [recorder], ...options });
  await server.ready;
  const maps = configMapsOf(server);
  await maps.create({ metadata: { name: 'a' } });
  users.length = 0;
  await maps.delete('a', { propagationPolicy: 'Orphan' });
  await expect.poll(() => maps.list().then(({ items }) => items.length)).toBe(0);
  return users;
}

describe.each([kubernetesVocabulary, orchVocabulary])('a controller of vocabulary $name', (vocabulary) => {
  const namespace = `${vocabulary.namespacePrefix}-system`;

  it('acts as its service account, without roles', async () => {
    expect(
      await usersOf(vocabulary, { authorizer: ({ rbac }) => rbac(), disabledAdmissionPlugins: [] }),
    ).toContainEqual({
      name: `system:serviceaccount:${namespace}:generic-garbage-collector`,
      groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
    });
  });

  it('acts as the server itself if the authorizer uses no roles', async () => {
    const denyAll = () => ({ authorize: () => ({ decision: 'no-opinion' }) as const });
    const users = await usersOf(vocabulary, {
      authenticator: () => ({ authenticate: () => ({ outcome: 'none' }) }),
      authorizer: denyAll,
    });
    expect(users.map(({ groups }) => groups)).toContainEqual(['system:masters', 'system:authenticated']);
  });

  it('acts as the user that the host says', async () => {
    const admin = { name: 'admin', uid: 'admin-uid', groups: ['admins'] };
    const controllerUser = (name: string) => (name === 'garbagecollector' ? admin : undefined);
    expect(await usersOf(vocabulary, { authorizer: ({ rbac }) => rbac(), controllerUser })).toContainEqual(
      admin,
    );
  });

  it('gives its rights to nobody else, not even to a user whose object the host shares', async () => {
    const shared: UserInfo = { name: 'ci', groups: [] };
    await using server = createApiServer({
      vocabulary,
      authenticator: () => ({ authenticate: () => ({ outcome: 'authenticated', user: shared }) }),
      authorizer: () => ({ authorize: () => ({ decision: 'no-opinion' }) }),
      controllerUser: () => shared,
    });
    await server.ready;
    const response = await server.fetch(new Request('http://server/api/v1/namespaces'));
    expect(response.status).toBe(403);
  });
});
