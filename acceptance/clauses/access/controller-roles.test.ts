import { createClient } from '@ashlar/client';
import {
  createClusterInfoSigner,
  createNamespaceController,
  createRoleAggregationController,
  createTokenCleaner,
} from '@ashlar/controllers';
import { type Ambient, groupName, systemNamespace } from '@ashlar/core';
import { createInProcessTransport } from '@ashlar/http';
import { createManualClock, createSeededRandom } from '@ashlar/testing';
import { expect } from 'vitest';
import { eventually } from '../eventually.fixture.ts';
import { type AccessServer, forEachAccess, rightsOf, rule } from './access-server.fixture.ts';
import { storeBootstrapToken } from './bootstrap-token.fixture.ts';

type Controllers = Parameters<typeof createNamespaceController>[0];

/** A controller that runs as its service account, and its errors. */
async function asController(
  { api, root }: AccessServer,
  name: string,
): Promise<Required<Controllers> & { readonly token: string; readonly errors: unknown[] }> {
  const ambient: Ambient = {
    clock: createManualClock(),
    random: createSeededRandom(5),
    vocabulary: api.vocabulary,
  };
  const accounts = `/api/v1/namespaces/${systemNamespace(api.vocabulary, 'system')}/serviceaccounts`;
  await root.post(accounts, { metadata: { name } });
  const { body } = await root.post(`${accounts}/${name}/token`, { spec: {} });
  const { token } = body.status as { readonly token: string };
  const transport = createInProcessTransport(api.handler);
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  return {
    client: createClient({ transport, baseUrl: 'http://in-process', token, ambient }),
    ...{ ambient, onError, errors, token },
  };
}

forEachAccess('Roles of controllers', (test) => {
  test('A047: that of the namespace controller allows emptying namespaces, and no other writes', async ({
    access,
    vocabulary,
  }) => {
    const made = await asController(access, 'namespace-controller');
    const controller = createNamespaceController(made);
    controller.start();
    await access.root.configMap('x');
    await access.root.delete('/api/v1/namespaces/a');
    await eventually(async () => expect((await access.root.get('/api/v1/namespaces/a')).status).toBe(404));
    await controller.close();
    expect(made.errors).toEqual([]);
    const more = ['create configmaps', 'update configmaps', 'create namespaces', 'escalate clusterroles'];
    expect(await rightsOf(access.as(made.token), vocabulary, more)).toEqual([]);
  });

  test('A047: that of role aggregation allows writing any cluster role, and nothing else', async ({
    access,
    paths,
    vocabulary,
  }) => {
    const made = await asController(access, 'clusterrole-aggregation-controller');
    const controller = createRoleAggregationController(made);
    controller.start();
    const roles = `${paths.rbac}/clusterroles`;
    const labels = { [`rbac.authorization.${vocabulary.groupDomain}/aggregate-to-view`]: 'true' };
    const rules = [rule('get', 'widgets', { apiGroups: ['example.com'] })];
    await access.root.post(roles, { metadata: { name: 'widgets', labels }, rules });
    await eventually(async () =>
      expect((await access.root.get(`${roles}/admin`)).body.rules).toContainEqual(rules[0]),
    );
    await controller.close();
    expect(made.errors).toEqual([]);
    const more = [
      'get secrets',
      'create clusterroles.rbac.authorization.',
      'update roles.rbac.authorization.',
    ];
    expect(await rightsOf(access.as(made.token), vocabulary, more)).toEqual([]);
  });

  test('A047: that of the token cleaner allows deleting secrets of the system namespace only', async ({
    access,
    vocabulary,
  }) => {
    const made = await asController(access, 'token-cleaner');
    const controller = createTokenCleaner(made);
    controller.start();
    await storeBootstrapToken(access, { data: { expiration: '2000-01-01T00:00:00Z' } });
    const secrets = `/api/v1/namespaces/${systemNamespace(vocabulary, 'system')}/secrets`;
    await eventually(async () => expect((await access.root.get(secrets)).body.items).toEqual([]));
    await controller.close();
    expect(made.errors).toEqual([]);
    const server = access.as(made.token);
    expect(await server.post(secrets, { metadata: { name: 'x' } })).toMatchObject({ status: 403 });
    expect(await rightsOf(server, vocabulary, ['get secrets', 'delete secrets'])).toEqual([]);
  });

  test('A047: that of the bootstrap signer allows signing cluster-info, and no other config map', async ({
    access,
    vocabulary,
  }) => {
    const made = await asController(access, 'bootstrap-signer');
    const controller = createClusterInfoSigner(made);
    controller.start();
    await storeBootstrapToken(access, { data: { 'usage-bootstrap-signing': 'true' } });
    const maps = `/api/v1/namespaces/${systemNamespace(vocabulary, 'public')}/configmaps`;
    for (const name of ['cluster-info', 'other'])
      await access.root.post(maps, { metadata: { name }, data: { kubeconfig: 'x' } });
    await eventually(async () =>
      expect((await access.root.get(`${maps}/cluster-info`)).body.data).toHaveProperty(
        'jws-kubeconfig-abcdef',
      ),
    );
    await controller.close();
    expect(made.errors).toEqual([]);
    const server = access.as(made.token);
    const other = (await server.get(`${maps}/other`)).body;
    expect(await server.put(`${maps}/other`, { ...other })).toMatchObject({ status: 403 });
    const secret = `/api/v1/namespaces/${systemNamespace(vocabulary, 'system')}/secrets/bootstrap-token-abcdef`;
    expect(await server.get(secret)).toMatchObject({ status: 200 });
    expect(await server.delete(secret)).toMatchObject({ status: 403 });
  });

  test('A047: that of certificates allows a controller to sign for its signers, and to approve those of kubelets', async ({
    access,
    paths,
    vocabulary,
  }) => {
    const server = access.as((await asController(access, 'certificate-controller')).token);
    const requests = 'certificatesigningrequests.certificates.';
    const needed = [
      `list ${requests}`,
      `watch ${requests}`,
      `delete ${requests}`,
      `update ${requests}/status`,
      `update ${requests}/approval`,
    ];
    const others = [`create ${requests}`, 'sign signers.certificates.'];
    expect(await rightsOf(server, vocabulary, [...needed, ...others])).toEqual(needed);
    const may = async (verb: string, name: string): Promise<unknown> => {
      const group = groupName(vocabulary, 'certificates.');
      const spec = { resourceAttributes: { verb, group, resource: 'signers', name } };
      const { body } = await server.post(`${paths.authorization}/selfsubjectaccessreviews`, { spec });
      return (body.status as { readonly allowed: boolean }).allowed;
    };
    const { labelDomain, namespacePrefix } = vocabulary;
    expect(await may('sign', `${labelDomain}/kubelet-serving`)).toBe(true);
    expect(await may('sign', 'example.com/own')).toBe(false);
    expect(await may('approve', `${labelDomain}/${namespacePrefix}-apiserver-client-kubelet`)).toBe(true);
    expect(await may('approve', `${labelDomain}/kubelet-serving`)).toBe(false);
  });

  test('A047: no controller has the permissions of another', async ({ access, vocabulary }) => {
    const { token } = await asController(access, 'namespace-controller');
    const { token: other } = await asController(access, 'clusterrole-aggregation-controller');
    const asked = ['deletecollection configmaps', 'update clusterroles.rbac.authorization.'];
    expect(await rightsOf(access.as(token), vocabulary, asked)).toEqual(asked.slice(0, 1));
    expect(await rightsOf(access.as(other), vocabulary, asked)).toEqual(asked.slice(1));
    expect(await rightsOf(access.as('bo'), vocabulary, asked)).toEqual([]);
  });
});
