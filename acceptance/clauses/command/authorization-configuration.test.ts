import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  type RemoteService,
  startRemoteService,
} from '../../../packages/server/src/assembly/remote-identity.fixture.ts';
import { forEachVocabulary } from './clause-command.fixture.ts';
import { ROOT, type ServedCommand } from './served-command.fixture.ts';
import { webhookFile } from './webhook-file.fixture.ts';

const FLAG = '--authorization-config';
const RBAC = { type: 'RBAC', name: 'rbac' };
const NODE = { type: 'Node', name: 'node' };
const ANNA = { token: 'anna-token' };
const NAMESPACES = '/api/v1/namespaces';

/** The response of a webhook to every request. */
type Verdict = 'allow' | 'deny' | 'nothing' | 'nonsense' | 'both' | 'broken';

interface Hook extends RemoteService {
  verdict: Verdict;
  readonly reviews: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly spec: Record<string, unknown>;
  }[];
}

async function startHook(verdict: Verdict): Promise<Hook> {
  const reviews: Hook['reviews'][number][] = [];
  const service = await startRemoteService((_request, text, response) => {
    const { apiVersion, kind } = JSON.parse(text);
    reviews.push(JSON.parse(text));
    if (hook.verdict === 'broken') return void response.writeHead(400).end();
    const received = {
      ...{ allow: { allowed: true }, deny: { allowed: false, denied: true }, nothing: { allowed: false } },
      both: { allowed: true, denied: true },
    };
    const status = hook.verdict === 'nonsense' ? 'yes' : received[hook.verdict];
    response.end(JSON.stringify({ apiVersion, kind, status }));
  });
  const hook: Hook = {
    ...{ ...service, verdict, reviews },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
  return hook;
}

forEachVocabulary('AuthorizationConfiguration', ({ vocabulary, serve, refusal, file }) => {
  const { groupDomain } = vocabulary;
  const configuration = (...authorizers: readonly object[]): string =>
    file(
      JSON.stringify({
        ...{ apiVersion: `apiserver.config.${groupDomain}/v1`, kind: 'AuthorizationConfiguration' },
        authorizers,
      }),
    );
  const refused = (...authorizers: readonly object[]): Promise<string> =>
    refusal(FLAG, configuration(...authorizers));
  /** A webhook as an entry of the list; undefined parts are omitted. */
  const webhookOf = (service: RemoteService | undefined, parts: object = {}, name = 'hook'): object => ({
    ...{ type: 'Webhook', name },
    webhook: {
      ...{ timeout: '10s', subjectAccessReviewVersion: 'v1', failurePolicy: 'NoOpinion' },
      matchConditionSubjectAccessReviewVersion: 'v1',
      connectionInfo: {
        type: 'KubeConfigFile',
        kubeConfigFile: file(service ? webhookFile(service) : webhookFile(NOWHERE)),
      },
      ...parts,
    },
  });
  const NOWHERE = {
    ...{ url: 'https://127.0.0.1:1', asked: [] },
    certificates: { certificateAuthority: '', certificate: '', key: '' },
    [Symbol.asyncDispose]: async () => {},
  };
  const serving = async (...authorizers: readonly object[]): Promise<ServedCommand> => {
    const tokens = file(`${ROOT.token},root,1,system:masters\n${ANNA.token},anna,2,dev\n`);
    return serve(FLAG, configuration(...authorizers), '--token-auth-file', tokens);
  };
  /** The decision about a request without a role; each is different, so that none is cached. */
  let asked = 0;
  const status = async (server: ServedCommand, path = `${NAMESPACES}/n-${++asked}`): Promise<number> =>
    (await server.get(path, ANNA)).status;
  const ALLOWED = 404;
  const DENIED = 403;
  /** Denied, with an error (semantics/access#authorization). */
  const FAILED = 500;
  /** The decision about a path that roles allow. */
  const review = async (server: ServedCommand): Promise<unknown> => {
    const nonResourceAttributes = { path: '/version', verb: 'get' };
    const spec = { user: 'anna', groups: ['system:authenticated'], nonResourceAttributes };
    return (await server.make(`/apis/authorization.${groupDomain}/v1/subjectaccessreviews`, { spec })).body
      .status;
  };

  it('A077: authorizers are called in the order of the list', async () => {
    await using denying = await startHook('deny');
    await using allowing = await startHook('allow');
    const [no, yes] = [webhookOf(denying, {}, 'no'), webhookOf(allowing, {}, 'yes')];
    await using first = await serving(no, yes, RBAC, NODE);
    expect([await status(first), denying.reviews.length, allowing.reviews.length]).toEqual([DENIED, 1, 0]);
    await using second = await serving(NODE, RBAC, yes, no);
    expect([await status(second), denying.reviews.length, allowing.reviews.length]).toEqual([ALLOWED, 1, 1]);
    // later authorizers are not called
    expect([await status(second, '/version'), allowing.reviews.length]).toEqual([200, 1]);
  });

  it('A077: each has a type that is known and a name like a label', async () => {
    const entry = 'authorizers[0]';
    expect(await refused({ name: 'x' })).toContain(`${entry}.type: Required value`);
    for (const type of ['Abac', 'Other', 'rbac'])
      expect(await refused({ type, name: 'x' })).toContain(`${entry}.type: Unsupported value: "${type}"`);
    expect(await refused({ type: 'RBAC' })).toContain(`${entry}.name: Required value`);
    for (const name of ['-x', 'X', 'a b', 'a_b'])
      expect(await refused({ type: 'RBAC', name })).toContain(`${entry}.name: Invalid value: "${name}"`);
    expect(await refused(RBAC, { ...NODE, name: 'rbac' })).toContain('authorizers[1].name: Duplicate value');
    expect(await refused(RBAC, { ...RBAC, name: 'other' })).toContain('authorizers[1].type: Duplicate value');
    expect(await refused({ type: 'Webhook', name: 'x' })).toContain(`${entry}.webhook: Required value`);
    expect(await refused({ ...RBAC, webhook: {} })).toContain(`${entry}.webhook: Invalid value`);
    expect(await refused()).toContain('authorizers: Required value');
  });

  it('A078: allowed requests are cached', async () => {
    await using hook = await startHook('allow');
    for (const parts of [{}, { authorizedTTL: '1h' }]) {
      await using server = await serving(webhookOf(hook, parts), RBAC);
      hook.verdict = 'allow';
      const path = `${NAMESPACES}/m-${++asked}`;
      expect(await status(server, path)).toBe(ALLOWED);
      hook.verdict = 'deny';
      expect(await status(server, path)).toBe(ALLOWED);
      expect(await status(server)).toBe(DENIED);
    }
    expect(await refused(webhookOf(undefined, { authorizedTTL: '-1s' }))).toContain('authorizedTTL: Invalid');
  });

  it('A079: denied requests are cached', async () => {
    await using hook = await startHook('deny');
    for (const parts of [{}, { unauthorizedTTL: '1h' }]) {
      await using server = await serving(webhookOf(hook, parts), RBAC);
      hook.verdict = 'deny';
      const path = `${NAMESPACES}/m-${++asked}`;
      expect(await status(server, path)).toBe(DENIED);
      hook.verdict = 'allow';
      expect(await status(server, path)).toBe(DENIED);
      expect(await status(server)).toBe(ALLOWED);
    }
    expect(await refused(webhookOf(undefined, { unauthorizedTTL: '-1s' }))).toContain('unauthorizedTTL: Inv');
  });

  it('A080: the timeout is configured, and at most 30 seconds', async () => {
    for (const timeout of [undefined, '0s'])
      expect(await refused(webhookOf(undefined, { timeout }))).toContain('authorizers[0].timeout: Required');
    for (const timeout of ['30.001s', '1m', '-1s']) {
      expect(await refused(webhookOf(undefined, { timeout }))).toMatch(
        /authorizers\[0\]\.timeout: Invalid value: .*: must be > 0s and <= 30s/,
      );
    }
    await using server = await serving(webhookOf(undefined, { timeout: '30s' }));
    expect(await server.who(ROOT)).toMatchObject({ username: 'root' });
  });

  it('A080: a slower call fails', async () => {
    await using slow = await startRemoteService(() => {});
    await using server = await serving(webhookOf(slow, { timeout: '1ms', failurePolicy: 'Deny' }), RBAC);
    expect(await review(server)).toMatchObject({ allowed: false, denied: true });
    expect(await status(server, '/version')).toBe(FAILED);
  });

  it('A081: the version of reviews is configured', async () => {
    await using hook = await startHook('allow');
    for (const [version, groups] of [
      ['v1', 'groups'],
      ['v1beta1', 'group'],
    ] as const) {
      await using server = await serving(webhookOf(hook, { subjectAccessReviewVersion: version }));
      expect(await status(server)).toBe(ALLOWED);
      expect(hook.reviews.at(-1)).toMatchObject({
        apiVersion: `authorization.${groupDomain}/${version}`,
        kind: 'SubjectAccessReview',
        spec: { user: 'anna', [groups]: ['dev', 'system:authenticated'] },
      });
    }
    const place = 'authorizers[0].subjectAccessReviewVersion';
    expect(await refused(webhookOf(undefined, { subjectAccessReviewVersion: undefined }))).toContain(
      `${place}: Required value`,
    );
    expect(await refused(webhookOf(undefined, { subjectAccessReviewVersion: 'v2' }))).toContain(
      `${place}: Unsupported value: "v2"`,
    );
  });

  it('A082: conditions read version v1 of a review, which must be configured', async () => {
    const field = 'matchConditionSubjectAccessReviewVersion';
    const matchConditions = [{ expression: "'dev' in request.groups" }];
    expect(await refused(webhookOf(undefined, { [field]: undefined, matchConditions }))).toContain(
      `authorizers[0].${field}: Required value`,
    );
    for (const version of ['v1beta1', 'v2']) {
      expect(await refused(webhookOf(undefined, { [field]: version, matchConditions }))).toContain(
        `authorizers[0].${field}: Unsupported value: "${version}"`,
      );
    }
    await using hook = await startHook('allow');
    const parts = { matchConditions, subjectAccessReviewVersion: 'v1beta1' };
    await using server = await serving(webhookOf(hook, parts));
    expect(await status(server)).toBe(ALLOWED);
  });

  it('A083: if a webhook fails the failure policy decides, which must be configured', async () => {
    const denied = { allowed: false, denied: true, evaluationError: expect.any(String) };
    for (const verdict of ['broken', 'nonsense'] as const) {
      await using hook = await startHook(verdict);
      await using passing = await serving(webhookOf(hook), RBAC);
      expect([verdict, await review(passing)]).toEqual([verdict, expect.objectContaining({ allowed: true })]);
      expect([verdict, await status(passing, '/version')]).toEqual([verdict, 200]);
      await using denying = await serving(webhookOf(hook, { failurePolicy: 'Deny' }), RBAC);
      expect([verdict, await review(denying)]).toEqual([verdict, denied]);
      expect([verdict, await status(denying, '/version')]).toEqual([verdict, FAILED]);
    }
    await using hook = await startHook('both');
    await using server = await serving(webhookOf(hook), RBAC);
    expect(await review(server)).toEqual(denied);
    const place = 'authorizers[0].failurePolicy';
    expect(await refused(webhookOf(undefined, { failurePolicy: undefined }))).toContain(`${place}: Required`);
    expect(await refused(webhookOf(undefined, { failurePolicy: 'Allow' }))).toContain(
      `${place}: Unsupported value: "Allow"`,
    );
  });

  it('A083: it also decides if conditions fail', async () => {
    await using hook = await startHook('allow');
    const matchConditions = [{ expression: "request.extra['none'][0] == 'x'" }];
    for (const [failurePolicy, expected] of [
      ['NoOpinion', 200],
      ['Deny', FAILED],
    ] as const) {
      await using server = await serving(webhookOf(hook, { failurePolicy, matchConditions }), RBAC);
      const verdict = expected === 200 ? { allowed: true } : { allowed: false, denied: true };
      expect(await review(server)).toMatchObject(verdict);
      expect([failurePolicy, await status(server, '/version')]).toEqual([failurePolicy, expected]);
    }
    expect(hook.reviews).toEqual([]);
  });

  it('A084: the webhook is in a kubeconfig file, and is not the server itself', async () => {
    const connected = (connectionInfo: object | undefined): Promise<string> =>
      refused(webhookOf(undefined, { connectionInfo }));
    const place = 'authorizers[0].connectionInfo';
    expect(await connected(undefined)).toContain(`${place}.type: Required value`);
    expect(await connected({ type: 'Service' })).toContain(`${place}.type: Unsupported value`);
    expect(await connected({ type: 'KubeConfigFile' })).toContain(`${place}.kubeConfigFile: Required value`);
    for (const kubeConfigFile of ['relative', '/nowhere'])
      expect(await connected({ type: 'KubeConfigFile', kubeConfigFile })).toContain(
        `${place}.kubeConfigFile: Invalid value: "${kubeConfigFile}"`,
      );
    expect(existsSync('/nowhere')).toBe(false);
    expect(await connected({ type: 'InClusterConfig' })).toContain('InClusterConfig');
    expect(await connected({ type: 'InClusterConfig', kubeConfigFile: '/x' })).toContain(
      `${place}.kubeConfigFile: Invalid value: "/x": can only be set when type=KubeConfigFile`,
    );
    await using hook = await startHook('allow');
    await using server = await serving(webhookOf(hook));
    expect(await status(server)).toBe(ALLOWED);
    expect(hook.asked).toEqual(['POST /review']);
  });

  it('A085: a false condition skips the webhook, whatever the others are', async () => {
    await using hook = await startHook('deny');
    const [yes, no, error] = [
      "request.user == 'anna'",
      "request.user == 'bob'",
      "request.extra['x'][0] == ''",
    ];
    for (const [conditions, expected, calls] of [
      [[], DENIED, 1],
      [[yes, "'dev' in request.groups"], DENIED, 1],
      [[yes, no], 200, 0],
      [[error, no], 200, 0],
      [[no, error], 200, 0],
      [[yes, error], FAILED, 0],
    ] as const) {
      const matchConditions = conditions.map((expression) => ({ expression }));
      const before = hook.reviews.length;
      await using server = await serving(webhookOf(hook, { matchConditions, failurePolicy: 'Deny' }), RBAC);
      const found = [await status(server, '/version'), hook.reviews.length - before];
      expect([conditions, ...found]).toEqual([conditions, expected, calls]);
    }
  });

  it('A085: there are at most 64 of them, each a boolean', async () => {
    const conditions = (count: number): object[] =>
      Array.from({ length: count }, (_, i) => ({ expression: `request.user != 'user-${i}'` }));
    expect(await refused(webhookOf(undefined, { matchConditions: conditions(65) }))).toContain(
      'authorizers[0].matchConditions: Too many: 65: must have at most 64 items',
    );
    await using hook = await startHook('allow');
    await using server = await serving(webhookOf(hook, { matchConditions: conditions(64) }));
    expect(await status(server)).toBe(ALLOWED);
    for (const expression of ['', 'request.user', 'request.nothing == 1', '1 +']) {
      expect(await refused(webhookOf(undefined, { matchConditions: [{ expression }] }))).toContain(
        'authorizers[0].matchConditions[0].expression: ',
      );
    }
  });
});
