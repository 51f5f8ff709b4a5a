import { workloadResources } from '@ashlar/apis/workloads';
import {
  alwaysAllow,
  alwaysDeny,
  createAbacAuthorizer,
  createUnionAuthorizer,
  createWebhookAuthorizer,
  parseAbacPolicyFile,
} from '@ashlar/authz';
import type { AuthorizationDecision, Authorizer } from '@ashlar/core';
import type { ApiServerOptions } from '@ashlar/server';
import { createManualClock, createSeededRandom } from '@ashlar/testing';
import { expect } from 'vitest';
import { CONFIG_MAPS, SECRETS } from '../clause-server.fixture.ts';
import { forEachAccess, rule } from './access-server.fixture.ts';
import { createAccessServer } from './create-access-server.fixture.ts';
import { ReviewWebhook } from './webhook.fixture.ts';

type Authorizing = NonNullable<ApiServerOptions['authorizer']>;

forEachAccess('Authorization', (test) => {
  const [yes, no, none] = (['allow', 'deny', 'no-opinion'] as const).map((decision) => ({ decision }));
  test.for<
    [name: string, answers: readonly (AuthorizationDecision | undefined)[], status: number, asked: number]
  >([
    ['the first that allows', [none, yes, no], 200, 2],
    ['the first that denies', [none, no, yes], 403, 2],
    ['the last', [none, none, yes], 200, 3],
    ['nobody', [none, none, none], 403, 3],
    ['nobody where nobody is asked', [], 403, 0],
  ])('A141: %s decides', async ([, answers, status, count], { vocabulary }) => {
    const asked: number[] = [];
    const members = answers.map(
      (answer, i): Authorizer => ({
        authorize({ user }) {
          if (user.name === 'al') asked.push(i);
          return answer as AuthorizationDecision;
        },
      }),
    );
    await using server = await createAccessServer(vocabulary, {
      authorizer: () => createUnionAuthorizer(members),
    });
    const reply = await server.al.get(CONFIG_MAPS);
    expect(reply).toMatchObject({ status });
    if (status === 403) expect(reply.body).toMatchObject({ reason: 'Forbidden', code: 403 });
    expect(asked).toEqual([...answers.keys()].slice(0, count));
  });

  test('A146: callers can review their permissions with every authorizer', async ({ vocabulary, paths }) => {
    const policy = {
      apiVersion: `abac.authorization.${vocabulary.labelDomain}/v1beta1`,
      kind: 'Policy',
      spec: { user: 'al', namespace: 'a', resource: 'configmaps', apiGroup: '*', readonly: true },
    };
    const webhook = new ReviewWebhook(({ spec }) => ({
      status: { allowed: (spec.resourceAttributes as { resource: string }).resource === 'configmaps' },
    }));
    const modes: readonly (readonly [Authorizing, resources: readonly string[]])[] = [
      [() => alwaysAllow, ['configmaps', 'secrets']],
      [() => alwaysDeny, []],
      [({ rbac }) => rbac(), []],
      [
        () => createAbacAuthorizer(parseAbacPolicyFile(JSON.stringify(policy), 'file', vocabulary).policies),
        ['configmaps'],
      ],
      [
        () =>
          createWebhookAuthorizer({
            ambient: { clock: createManualClock(), random: createSeededRandom(4), vocabulary },
            transport: webhook,
            url: 'https://webhook.example/review',
            version: 'v1',
          }),
        ['configmaps'],
      ],
    ];
    const asking: Authorizer = {
      authorize: ({ resource }) => ({
        decision: resource === 'selfsubjectaccessreviews' ? 'allow' : 'no-opinion',
      }),
    };
    for (const [mode, resources] of modes) {
      await using server = await createAccessServer(vocabulary, {
        authorizer: (stored) =>
          createUnionAuthorizer([asking, typeof mode === 'function' ? mode(stored) : mode]),
      });
      for (const resource of ['configmaps', 'secrets']) {
        const spec = { resourceAttributes: { verb: 'list', resource, namespace: 'a', version: 'v1' } };
        const path = `${paths.authorization}/selfsubjectaccessreviews`;
        const allowed = resources.includes(resource);
        expect((await server.al.post(path, { spec })).body.status).toMatchObject({ allowed });
        const met = await server.al.get(`/api/v1/namespaces/a/${resource}`);
        expect(met.status).toBe(allowed ? 200 : 403);
      }
    }
  });
});

forEachAccess(
  'Authorization of workloads',
  (test) => {
    test('A147: creating pods needs no permission for what they mount', async ({ access }) => {
      await access.allow('maker', [rule('create', 'pods')]);
      const mounting = (name: string) => ({
        metadata: { name },
        spec: {
          serviceAccountName: 'powerful',
          containers: [{ name: 'c', image: 'i' }],
          volumes: [
            { name: 's', secret: { secretName: 'key' } },
            { name: 'm', configMap: { name: 'settings' } },
          ],
        },
      });
      expect(await access.al.get(`${SECRETS}/key`)).toMatchObject({ status: 403 });
      expect(await access.al.post('/api/v1/namespaces/a/pods', mounting('p'))).toMatchObject({ status: 201 });
      expect(await access.al.post('/api/v1/namespaces/b/pods', mounting('p'))).toMatchObject({ status: 403 });
    });
  },
  (vocabulary) => ({ resources: workloadResources(vocabulary) }),
);
