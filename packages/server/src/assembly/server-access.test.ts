import type { AdmissionPlugin } from '@ashlar/admission';
import {
  createBearerAuthenticator,
  createStaticTokens,
  createUnionTokens,
  withAnonymous,
  withAuthenticatedGroup,
  withServerAudiences,
} from '@ashlar/authn';
import { withPrivilegedGroup } from '@ashlar/authz';
import { type ApiObject, kubernetesVocabulary as vocabulary } from '@ashlar/core';
import { nodeAmbient } from '@ashlar/http-node';
import { afterEach, describe, expect, it } from 'vitest';
import { generateServiceAccountKey } from '../certificates/service-account-signing-keys.ts';
import type { ApiServer } from './api-server.ts';
import type { ApiServerOptions } from './api-server-options.ts';
import { createApiServer } from './create-api-server.ts';

const open: ApiServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

const users = createStaticTokens(
  [
    { token: 'root', user: { name: 'root', groups: ['system:masters'] } },
    { token: 'al', user: { name: 'al', uid: '1', groups: ['dev'] } },
  ],
  nodeAmbient(vocabulary).random,
);

async function serverWithRoles(more: ApiServerOptions = {}): Promise<ApiServer> {
  const server = createApiServer({
    vocabulary,
    serviceAccounts: { issuers: ['https://issuer.example'], signingKey: generateServiceAccountKey().key },
    authenticator: ({ serviceAccounts, apiAudiences }) => {
      const tokens = createUnionTokens([withServerAudiences(users, apiAudiences), serviceAccounts]);
      return withAnonymous(withAuthenticatedGroup(createBearerAuthenticator(tokens)));
    },
    authorizer: ({ rbac }) => withPrivilegedGroup(rbac()),
    ...more,
  });
  open.push(server);
  await server.ready;
  return server;
}

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: responses of many kinds
  readonly json: any;
}

async function ask(
  server: ApiServer,
  token: string | undefined,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await server.fetch(
    new Request(`http://server${path}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    }),
  );
  const text = await response.text();
  return { status: response.status, json: text.startsWith('{') ? JSON.parse(text) : text };
}

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const ROLES = `${RBAC}/namespaces/default/roles`;
const BINDINGS = `${RBAC}/namespaces/default/rolebindings`;
const MAPS = '/api/v1/namespaces/default/configmaps';

async function allow(server: ApiServer, name: string, rules: readonly object[], user = 'al'): Promise<void> {
  await ask(server, 'root', 'POST', ROLES, { metadata: { name }, rules });
  await ask(server, 'root', 'POST', BINDINGS, {
    metadata: { name },
    roleRef: { kind: 'Role', name },
    subjects: [{ kind: 'User', name: user }],
  });
}

describe('a server with RBAC', () => {
  it('has the default roles, aggregated where specified', async () => {
    const server = await serverWithRoles();
    const { json } = await ask(server, 'root', 'GET', `${RBAC}/clusterroles`);
    const names = json.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
    expect(names).toEqual(expect.arrayContaining(['cluster-admin', 'system:discovery', 'view']));
    await expect
      .poll(async () => (await ask(server, 'root', 'GET', `${RBAC}/clusterroles/admin`)).json.rules?.length)
      .toBeGreaterThan(20);
    expect((await ask(server, 'al', 'GET', '/api')).status).toBe(200);
    expect((await ask(server, undefined, 'GET', '/api')).status).toBe(403);
    expect((await ask(server, undefined, 'GET', '/healthz')).status).toBe(200);
  });

  it('aggregates by server-side apply: manual rules stay until the next aggregation', async () => {
    const server = await serverWithRoles();
    const roles = `${RBAC}/clusterroles`;
    const rule = (resource: string) => ({ verbs: ['get'], apiGroups: [''], resources: [resource] });
    const collector = {
      metadata: { name: 'collector' },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { to: 'collector' } }] },
      rules: [rule('pods')],
    };
    await ask(server, 'root', 'POST', roles, collector);
    const read = async () => (await ask(server, 'root', 'GET', `${roles}/collector`)).json;
    const make = (name: string, label: string) =>
      ask(server, 'root', 'POST', roles, {
        ...{ metadata: { name, labels: { to: label } }, rules: [rule(name)] },
      });
    // roles are aggregated whenever one of them changes
    await make('nobody', 'nobody');
    await make('marked', 'another');
    expect((await read()).rules).toEqual([rule('pods')]);
    await make('nodes', 'collector');
    await expect.poll(async () => (await read()).rules).toEqual([rule('nodes')]);
    const { managedFields } = (await read()).metadata;
    expect(managedFields).toContainEqual(
      expect.objectContaining({ manager: 'clusterrole-aggregation-controller', operation: 'Apply' }),
    );
    await ask(server, 'root', 'DELETE', `${roles}/nodes`);
    await expect.poll(async () => (await read()).rules).toBeNull();
  });

  it('follows roles and bindings as they are created and deleted', async () => {
    const server = await serverWithRoles();
    expect(await ask(server, 'al', 'GET', MAPS)).toMatchObject({
      status: 403,
      json: {
        message:
          'configmaps is forbidden: User "al" cannot list resource "configmaps" in API group "" in the namespace "default"',
      },
    });
    await allow(server, 'reader', [{ verbs: ['list'], apiGroups: [''], resources: ['configmaps'] }]);
    expect((await ask(server, 'al', 'GET', MAPS)).status).toBe(200);
    await ask(server, 'root', 'DELETE', `${ROLES}/reader`);
    expect((await ask(server, 'al', 'GET', MAPS)).json.message).toMatch(
      /: RBAC: role\.rbac\.authorization\.k8s\.io "reader" not found$/,
    );
  });

  it('forks with independent permissions', async () => {
    const server = await serverWithRoles();
    await allow(server, 'reader', [{ verbs: ['list'], apiGroups: [''], resources: ['configmaps'] }]);
    const fork = server.fork();
    open.push(fork);
    await fork.ready;
    expect((await ask(fork, 'al', 'GET', MAPS)).status).toBe(200);
    await ask(fork, 'root', 'DELETE', `${BINDINGS}/reader`);
    expect((await ask(fork, 'al', 'GET', MAPS)).status).toBe(403);
    expect((await ask(server, 'al', 'GET', MAPS)).status).toBe(200);
  });

  it('prevents privilege escalation', async () => {
    const server = await serverWithRoles();
    const group = 'rbac.authorization.k8s.io';
    await allow(server, 'writer', [
      { verbs: ['*'], apiGroups: [group], resources: ['roles', 'rolebindings'] },
      { verbs: ['get'], apiGroups: [''], resources: ['configmaps'] },
    ]);
    // all verbs are `escalate` and `bind`, too
    expect((await ask(server, 'al', 'POST', ROLES, { metadata: { name: 'x' }, rules: [] })).status).toBe(201);
    await ask(server, 'root', 'PUT', `${ROLES}/writer`, {
      metadata: { name: 'writer' },
      rules: [
        { verbs: ['create', 'update', 'patch'], apiGroups: [group], resources: ['roles', 'rolebindings'] },
        { verbs: ['get'], apiGroups: [''], resources: ['configmaps'] },
      ],
    });
    const rule = { verbs: ['get', 'delete'], apiGroups: [''], resources: ['configmaps'] };
    const text =
      'user "al" (groups=["dev" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n' +
      '{APIGroups:[""], Resources:["configmaps"], Verbs:["delete"]}';
    const created = await ask(server, 'al', 'POST', ROLES, { metadata: { name: 'y' }, rules: [rule] });
    expect([created.status, created.json.message]).toEqual([403, `roles.${group} "y" is forbidden: ${text}`]);
    const patched = await ask(
      server,
      'al',
      'PATCH',
      `${ROLES}/x`,
      { rules: [rule] },
      { 'content-type': 'application/merge-patch+json' },
    );
    expect(patched.status).toBe(403);
    const bound = await ask(server, 'al', 'POST', BINDINGS, {
      metadata: { name: 'z' },
      roleRef: { kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'User', name: 'al' }],
    });
    expect([bound.status, bound.json.reason]).toEqual([403, 'Forbidden']);
  });

  it('cannot tell what a binding grants whose role cannot exist', async () => {
    const server = await serverWithRoles();
    const bindings = ['rolebindings', 'clusterrolebindings'];
    const rules = [{ verbs: ['create'], apiGroups: ['*'], resources: bindings }];
    await ask(server, 'root', 'POST', `${RBAC}/clusterroles`, { metadata: { name: 'binder' }, rules });
    await ask(server, 'root', 'POST', `${RBAC}/clusterrolebindings`, {
      metadata: { name: 'binder' },
      roleRef: { kind: 'ClusterRole', name: 'binder' },
      subjects: [{ kind: 'User', name: 'al' }],
    });
    const answers = async (path: string, roleRef: object): Promise<readonly unknown[]> => {
      const answer = await ask(server, 'al', 'POST', path, { metadata: { name: 'z' }, roleRef });
      return [answer.status, answer.json.message];
    };
    for (const path of [BINDINGS, `${RBAC}/clusterrolebindings`]) {
      for (const kind of ['constructor', ''])
        expect(await answers(path, { kind, name: 'x' })).toEqual([
          ...[500, `unsupported role reference kind: "${kind}"`],
        ]);
      expect(await answers(path, { kind: 'ClusterRole' })).toEqual([400, 'Name parameter required.']);
      expect(await answers(path, { kind: 'ClusterRole', name: 'a/%' })).toEqual([
        ...[400, `Name parameter invalid: "a/%": may not contain '/';may not contain '%'`],
      ]);
    }
    expect(await answers(BINDINGS, { kind: 'Role', name: '..' })).toEqual([
      ...[400, `Name parameter invalid: "..": may not be '..'`],
    ]);
    expect(await answers(`${RBAC}/clusterrolebindings`, { kind: 'Role' })).toEqual([
      ...[400, 'Namespace parameter required.'],
    ]);
  });

  it('prevents privilege escalation before it validates, also by a plugin of the host', async () => {
    const group = 'rbac.authorization.k8s.io';
    const rule = { verbs: ['delete'], apiGroups: [''], resources: ['configmaps'] };
    const roleRef = { apiGroup: group, kind: 'ClusterRole', name: 'cluster-admin' };
    const granting: AdmissionPlugin = {
      name: 'Granting',
      handles: ({ object }) => object?.metadata.labels?.granted === 'true',
      admit: ({ object, resource }) =>
        ({ ...object, ...(resource.resource === 'roles' ? { rules: [rule] } : { roleRef }) }) as ApiObject,
    };
    const server = await serverWithRoles({ admission: [granting] });
    const written = ['roles', 'rolebindings'];
    await allow(server, 'writer', [{ verbs: ['create'], apiGroups: [group], resources: written }]);
    const invalid = { metadata: { name: 'a/b' }, rules: [rule, { ...rule, verbs: [] }] };
    const generated = { metadata: { generateName: 'a' }, rules: [rule] };
    const labels = { granted: 'true' };
    const granted = { metadata: { name: 'c', labels }, rules: [] };
    for (const [role, name] of [
      [invalid, ' "a/b"'],
      [generated, ''],
      [granted, ' "c"'],
    ] as const) {
      const { status, json } = await ask(server, 'al', 'POST', ROLES, role);
      expect([status, json.message.split(' is attempting')[0]]).toEqual([
        ...[403, `roles.${group}${name} is forbidden: user "al" (groups=["dev" "system:authenticated"])`],
      ]);
    }
    const own = { metadata: { name: 'd', labels }, roleRef: { kind: 'Role', name: 'writer' }, subjects: [] };
    expect((await ask(server, 'al', 'POST', BINDINGS, own)).status).toBe(403);
    const unlabelled = { ...own, metadata: { name: 'd' } };
    expect((await ask(server, 'al', 'POST', BINDINGS, unlabelled)).status).toBe(201);
  });

  it('checks what a binding grants with the group that its role has by default', async () => {
    const naming: AdmissionPlugin = {
      name: 'Naming',
      handles: ({ resource, user }) => resource.resource === 'rolebindings' && user.name === 'al',
      admit: ({ object }) =>
        ({ ...object, roleRef: { kind: 'ClusterRole', name: 'cluster-admin' } }) as unknown as ApiObject,
    };
    const server = await serverWithRoles({ admission: [naming] });
    await allow(server, 'writer', [
      { verbs: ['create'], apiGroups: ['rbac.authorization.k8s.io'], resources: ['rolebindings'] },
      { verbs: ['bind'], apiGroups: [''], resources: ['clusterroles'] },
    ]);
    const binding = { metadata: { name: 'b' }, roleRef: { kind: 'Role', name: 'writer' } };
    expect((await ask(server, 'al', 'POST', BINDINGS, binding)).status).toBe(403);
  });

  it('checks what a role grants once, after all rounds of plugins', async () => {
    const rule = { verbs: ['delete'], apiGroups: [''], resources: ['configmaps'] };
    const rounds: AdmissionPlugin = {
      name: 'Rounds',
      handles: ({ resource, user }) => resource.resource === 'roles' && user.name === 'al',
      admit({ object }, admission) {
        if (admission.round === 0) admission.again();
        return { ...object, rules: admission.round === 0 ? [rule] : [] } as unknown as ApiObject;
      },
    };
    const server = await serverWithRoles({ admission: [rounds] });
    const group = 'rbac.authorization.k8s.io';
    await allow(server, 'writer', [{ verbs: ['create'], apiGroups: [group], resources: ['roles'] }]);
    expect((await ask(server, 'al', 'POST', ROLES, { metadata: { name: 'r' }, rules: [] })).status).toBe(201);
  });

  it('leaves it to validation that a role aggregates nothing', async () => {
    const server = await serverWithRoles();
    const group = 'rbac.authorization.k8s.io';
    const rules = [{ verbs: ['create'], apiGroups: [group], resources: ['clusterroles'] }];
    await ask(server, 'root', 'POST', `${RBAC}/clusterroles`, { metadata: { name: 'writer' }, rules });
    await ask(server, 'root', 'POST', `${RBAC}/clusterrolebindings`, {
      metadata: { name: 'writer' },
      roleRef: { kind: 'ClusterRole', name: 'writer' },
      subjects: [{ kind: 'User', name: 'al' }],
    });
    for (const aggregationRule of [{}, { clusterRoleSelectors: [] }]) {
      const role = { metadata: { name: 'r' }, aggregationRule };
      expect((await ask(server, 'al', 'POST', `${RBAC}/clusterroles`, role)).status).toBe(422);
    }
  });

  it('lets callers write what changes nothing of a role', async () => {
    const server = await serverWithRoles();
    const group = 'rbac.authorization.k8s.io';
    await allow(server, 'writer', [{ verbs: ['update', 'get'], apiGroups: [group], resources: ['roles'] }]);
    const rules = [{ verbs: ['delete'], apiGroups: [''], resources: ['configmaps'] }];
    const { json: role } = await ask(server, 'root', 'POST', ROLES, { metadata: { name: 'r' }, rules });
    expect((await ask(server, 'al', 'PUT', `${ROLES}/r`, role)).status).toBe(200);
    const labelled = { ...role, metadata: { ...role.metadata, labels: { a: 'b' } } };
    expect((await ask(server, 'al', 'PUT', `${ROLES}/r`, labelled)).status).toBe(403);
  });

  it('allows impersonation to permitted users', async () => {
    const server = await serverWithRoles();
    const asBob = { 'impersonate-user': 'bob' };
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    expect((await ask(server, 'root', 'POST', path, {}, asBob)).json.status.userInfo).toEqual({
      username: 'bob',
      groups: ['system:authenticated'],
    });
    expect((await ask(server, 'al', 'POST', path, {}, asBob)).json.message).toBe(
      'users "bob" is forbidden: User "al" cannot impersonate resource "users" in API group "" at the cluster scope',
    );
  });

  it('answers access reviews with its own authorizer', async () => {
    const server = await serverWithRoles();
    await allow(server, 'reader', [{ verbs: ['list'], apiGroups: [''], resources: ['configmaps'] }]);
    const review = await ask(server, 'root', 'POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', {
      spec: {
        user: 'al',
        resourceAttributes: { verb: 'list', resource: 'configmaps', namespace: 'default' },
      },
    });
    expect(review.json.status).toEqual({
      allowed: true,
      reason: 'RBAC: allowed by RoleBinding "reader/default" of Role "reader" to User "al"',
    });
    const rules = await ask(server, 'al', 'POST', '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', {
      spec: { namespace: 'default' },
    });
    expect(rules.json.status.resourceRules).toContainEqual({
      verbs: ['list'],
      apiGroups: [''],
      resources: ['configmaps'],
    });
    const token = await ask(server, 'root', 'POST', '/apis/authentication.k8s.io/v1/tokenreviews', {
      spec: { token: 'al' },
    });
    expect(token.json.status).toMatchObject({
      authenticated: true,
      audiences: ['https://issuer.example'],
      user: { username: 'al' },
    });
  });
});

describe('tokens of service accounts', () => {
  const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';

  it('can be requested and used, and expire with their service account', async () => {
    const server = await serverWithRoles();
    await ask(server, 'root', 'POST', ACCOUNTS, { metadata: { name: 'robot' } });
    const made = await ask(server, 'root', 'POST', `${ACCOUNTS}/robot/token`, { spec: {} });
    expect([made.status, made.json.spec]).toEqual([
      201,
      { audiences: ['https://issuer.example'], expirationSeconds: 3600, boundObjectRef: null },
    ]);
    const { token } = made.json.status;
    const who = await ask(server, token, 'POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {});
    expect(who.json.status.userInfo.username).toBe('system:serviceaccount:default:robot');
    await ask(server, 'root', 'DELETE', `${ACCOUNTS}/robot`);
    expect((await ask(server, token, 'GET', '/api')).status).toBe(401);
  });

  it('can be verified by others with the published keys', async () => {
    const server = await serverWithRoles();
    const { json } = await ask(server, 'root', 'GET', '/.well-known/openid-configuration');
    expect(json).toMatchObject({
      issuer: 'https://issuer.example',
      jwks_uri: 'https://issuer.example/openid/v1/jwks',
    });
    const known = await serverWithRoles({ serverAddress: () => '10.1.2.3:6443' });
    expect((await ask(known, 'root', 'GET', '/.well-known/openid-configuration')).json).toMatchObject({
      issuer: 'https://issuer.example',
      jwks_uri: 'https://10.1.2.3:6443/openid/v1/jwks',
    });
    const keys = await ask(server, 'root', 'GET', '/openid/v1/jwks');
    expect(keys.json.keys).toMatchObject([{ use: 'sig', kty: 'EC', alg: 'ES256' }]);
    expect(Object.keys(keys.json.keys[0])).not.toContain('d');
    expect((await ask(server, undefined, 'GET', '/openid/v1/jwks')).status).toBe(403);
  });

  it('are not served without an issuer', async () => {
    const server = createApiServer({ vocabulary });
    open.push(server);
    await server.ready;
    expect((await ask(server, undefined, 'POST', `${ACCOUNTS}/robot/token`, { spec: {} })).status).toBe(404);
  });
});

describe('/metrics', () => {
  it('counts requests by verb and status', async () => {
    const server = await serverWithRoles();
    await ask(server, 'root', 'GET', MAPS);
    await ask(server, 'root', 'GET', '/apis/nobody.example/v1/things');
    const { json } = await ask(server, 'root', 'GET', '/metrics');
    expect(json).toContain(
      'apiserver_request_total{verb="LIST",dry_run="",group="",version="v1",resource="configmaps",subresource="",scope="namespace",component="apiserver",code="200"} 1\n',
    );
    expect(json).not.toContain('nobody.example');
    expect((await ask(server, 'al', 'GET', '/metrics')).status).toBe(403);
  });

  it('counts authentications and authorization decisions', async () => {
    const server = await serverWithRoles({ controllers: false });
    const counts = async (): Promise<readonly string[]> => {
      const { json } = await ask(server, 'root', 'GET', '/metrics');
      return (json as string)
        .split('\n')
        .filter((line) => /^auth\w+_(attempts|attempts_total|requests)\{/.test(line));
    };
    const countOf = (lines: readonly string[], start: string): number =>
      Number(lines.find((line) => line.startsWith(start))?.split(' ')[1] ?? 0);
    const before = await counts();
    await ask(server, 'al', 'GET', MAPS);
    await ask(server, 'wrong', 'GET', MAPS);
    const after = await counts();
    const rise = (start: string): number => countOf(after, start) - countOf(before, start);
    // the second access review after the metrics counts too, and has begun when they are read
    expect({
      known: rise('authentication_attempts{result="success"}'),
      others: rise('authenticated_user_requests{username="other"}'),
      rejected: rise('authentication_attempts{result="error"}'),
      allowed: rise('authorization_attempts_total{result="allowed"}'),
      withoutOpinion: rise('authorization_attempts_total{result="no-opinion"}'),
    }).toEqual({ known: 2, others: 2, rejected: 1, allowed: 1, withoutOpinion: 1 });
  });
});
