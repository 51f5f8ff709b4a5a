import { workloadResources } from '@ashlar/apis/workloads';
import { expect } from 'vitest';
import { forEachAccess } from './access-server.fixture.ts';
import { createAccessServer } from './create-access-server.fixture.ts';

const PODS = '/api/v1/namespaces/c/pods';
const ACCOUNTS = '/api/v1/namespaces/c/serviceaccounts';
const spec = { containers: [{ name: 'c', image: 'i' }] };

forEachAccess('Methods', (test) => {
  test('A104: a pod without an account uses the default one', async ({ vocabulary, paths }) => {
    await using server = await createAccessServer(vocabulary, {
      resources: workloadResources(vocabulary),
      controllers: true,
      disabledAdmissionPlugins: [],
    });
    const { root } = server;
    const account = async (name: string, more: object = {}): Promise<unknown> => {
      const { body } = await root.post(PODS, { metadata: { name }, spec: { ...spec, ...more } });
      return (
        (body.spec as { readonly serviceAccountName?: string } | undefined)?.serviceAccountName ??
        body.message
      );
    };
    await root.post('/api/v1/namespaces', { metadata: { name: 'c' } });
    const made = async (): Promise<number> => (await root.get(`${ACCOUNTS}/default`)).status;
    await expect.poll(made).toBe(200);
    expect(await account('unnamed')).toBe('default');
    await root.post(ACCOUNTS, { metadata: { name: 'robot' } });
    expect(await account('named', { serviceAccountName: 'robot' })).toBe('robot');
    expect(await account('lost', { serviceAccountName: 'nobody' })).toContain(
      'serviceaccount "nobody" not found',
    );
    const review = await root.post(`${ACCOUNTS}/default/token`, {});
    expect(review.status).toBe(201);
    const { token } = review.body.status as { readonly token: string };
    const who = await server.as(token).post(`${paths.authentication}/selfsubjectreviews`, {});
    expect(who.body.status).toMatchObject({ userInfo: { username: 'system:serviceaccount:c:default' } });
  });
});
