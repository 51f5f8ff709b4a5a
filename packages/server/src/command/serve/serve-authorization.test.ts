import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { alwaysAllow, alwaysDeny } from '@ashlar/authz';
import {
  type AuthorizationAttributes,
  type Authorizer,
  Metrics,
  orchVocabulary,
  type Transport,
} from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { nodeAmbient } from '@ashlar/http-node';
import { afterAll, describe, expect, it } from 'vitest';
import { FilesFolder } from '../files-folder.fixture.ts';
import { type ServeFlags, serveFlags } from '../flags/serve-flags.ts';
import { UsageError } from '../usage-error.ts';
import { createServeAuthorization, type ServeAuthorization } from './serve-authorization.ts';

const folder = new FilesFolder();
afterAll(() => folder[Symbol.dispose]());
const { file: fileOf } = folder;

const configured = (...authorizers: readonly object[]): string =>
  JSON.stringify({
    ...{ apiVersion: 'apiserver.config.orch.io/v1', kind: 'AuthorizationConfiguration' },
    authorizers,
  });

const client = fileOf(`
clusters: [{name: c, cluster: {server: "https://hook.example/authorize"}}]
users: [{name: u, user: {token: secret}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
current-context: x
`);

const webhook = {
  ...{ type: 'Webhook', name: 'hook' },
  webhook: {
    ...{ timeout: '3s', subjectAccessReviewVersion: 'v1', failurePolicy: 'NoOpinion' },
    connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: client },
  },
};
const rbac = { type: 'RBAC', name: 'rbac' };
const node = { type: 'Node', name: 'node' };

/** A webhook that denies every request, in the version of the review. */
class Hook implements Transport {
  readonly calls: { readonly url: string; readonly authorization: unknown }[] = [];

  async request(url: string, { headers = {}, body }: Parameters<Transport['request']>[1]) {
    this.calls.push({ url, authorization: headers.authorization });
    const { apiVersion, kind } = JSON.parse(new TextDecoder().decode(body));
    const response = JSON.stringify({ apiVersion, kind, status: { allowed: false, denied: true } });
    const bytes = new TextEncoder().encode(response);
    const stream = async function* () {
      yield bytes;
    };
    return { status: 200, headers: {}, body: async () => bytes, stream };
  }
}

const clock = createSteppedClock();
const make = (flags: ServeFlags, transport: Transport = new Hook()): ServeAuthorization => {
  const ambient = { ...nodeAmbient(orchVocabulary), clock };
  return createServeAuthorization(flags, { ambient, transport, report: () => {} });
};

function over(
  { authorizer }: ServeAuthorization,
  stored: Authorizer = alwaysAllow,
  metrics: Metrics = new Metrics(),
): Authorizer {
  return authorizer({ rbac: () => stored, node: alwaysDeny, metrics });
}

async function verdict(authorizer: Authorizer, groups: readonly string[] = []): Promise<string> {
  const attributes: AuthorizationAttributes = {
    ...{ user: { name: 'u', groups }, verb: 'get', isResourceRequest: false, apiGroup: '', apiVersion: '' },
    ...{ resource: '', subresource: '', namespace: '', name: '', path: '/' },
  };
  return (await authorizer.authorize(attributes)).decision;
}

describe('an authorization configuration file', () => {
  it('configures authorizers in order, after allowing system:masters', async () => {
    const hook = new Hook();
    using made = make({ 'authorization-config': fileOf(configured(webhook, rbac)) }, hook);
    expect(await verdict(over(made))).toBe('deny');
    expect(await verdict(over(made), ['system:masters'])).toBe('allow');
    expect(hook.calls).toEqual([{ url: 'https://hook.example/authorize', authorization: 'Bearer secret' }]);
    using other = make({ 'authorization-config': fileOf(configured(rbac, webhook)) });
    expect(await verdict(over(other))).toBe('allow');
  });

  it('is reloaded when it changes, unless the new text is invalid', async () => {
    const file = fileOf(configured(rbac));
    using made = make({ 'authorization-config': file });
    const metrics = new Metrics();
    made.follow(metrics);
    const authorizer = over(made, alwaysAllow, metrics);
    const reread = (text: string): void => {
      writeFileSync(file, text);
      clock.advance(60_000);
    };
    reread(configured(webhook, rbac));
    expect(await verdict(authorizer)).toBe('deny');
    const deny = { type: 'AlwaysDeny', name: 'alwaysdeny' };
    const invalid = ['{', configured(), configured(webhook), configured(rbac, node), configured(deny, rbac)];
    for (const text of invalid) {
      reread(text);
      expect(await verdict(authorizer)).toBe('deny');
    }
    reread(configured(rbac, webhook));
    expect(await verdict(authorizer)).toBe('allow');
    const counted = metrics.text();
    const name = 'apiserver_authorization_config_controller_automatic_reloads_total';
    expect(counted).toContain(`${name}{apiserver_id_hash="",status="success"} 3`);
    expect(counted).toContain(`${name}{apiserver_id_hash="",status="failure"} 5`);
    const decisions = 'apiserver_authorization_decisions_total';
    expect(counted).toContain(`${decisions}{type="Webhook",name="hook",decision="denied"} 6`);
    expect(counted).toContain(`${decisions}{type="RBAC",name="rbac",decision="allowed"} 1`);
    expect(counted).toContain(
      'apiserver_authorization_webhook_evaluations_total{name="hook",result="success"} 6',
    );
  });

  it('may name ABAC, whose policies are in a file of their own', async () => {
    const abac = { type: 'ABAC', name: 'abac' };
    const policy = { apiVersion: 'abac.authorization.orch.io/v1beta1', kind: 'Policy' };
    const policies = fileOf(JSON.stringify({ ...policy, spec: { group: 'g', nonResourcePath: '/' } }));
    const file = fileOf(configured(abac));
    using made = make({ 'authorization-config': file, 'authorization-policy-file': policies });
    expect(await verdict(over(made, alwaysDeny), ['g'])).toBe('allow');
    expect(await verdict(over(made, alwaysDeny), ['h'])).toBe('no-opinion');
    expect(() => make({ 'authorization-config': file })).toThrow(
      'flag --authorization-config: ABAC needs --authorization-policy-file',
    );
    const other = fileOf(configured(rbac));
    expect(() => make({ 'authorization-config': other, 'authorization-policy-file': policies })).toThrow(
      'flag --authorization-policy-file needs ABAC in --authorization-config',
    );
  });

  it.each([
    [{ type: 'AlwaysAllow', name: 'alwaysallow' }, 'allow', true],
    [{ type: 'AlwaysDeny', name: 'alwaysdeny' }, 'no-opinion', false],
  ])('may name %j', async (authorizer, decision, allowsAll) => {
    using made = make({ 'authorization-config': fileOf(configured(authorizer)) });
    expect(await verdict(over(made, alwaysDeny))).toBe(decision);
    // anonymous callers are restricted then, as under the mode
    expect(made.allowsAll).toBe(allowsAll);
  });

  it('reports which authorizers may not come and go', () => {
    const file = fileOf(configured(rbac));
    const reports: string[] = [];
    const ambient = { ...nodeAmbient(orchVocabulary), clock };
    const report = (text: string): void => void reports.push(text);
    using made = createServeAuthorization(
      { 'authorization-config': file },
      { ambient, transport: new Hook(), report },
    );
    made.follow(new Metrics());
    for (const text of [configured(webhook), configured(rbac, node)]) {
      writeFileSync(file, text);
      clock.advance(60_000);
    }
    expect(reports).toEqual([
      'ashlar: the authorization configuration was not reloaded: missing required types: [RBAC]\n',
      'ashlar: the authorization configuration was not reloaded: authorizer type Node is not allowed if it was not enabled at initial server startup\n',
    ]);
  });

  it('excludes the modes, and is rejected if it cannot be used', () => {
    const file = fileOf(configured(rbac));
    expect(() => make({ 'authorization-config': file, 'authorization-mode': ['RBAC'] })).toThrow(
      'flag --authorization-config cannot be combined with --authorization-mode',
    );
    expect(() => make({ 'authorization-config': fileOf(configured()) })).toThrow(UsageError);
    expect(() => make({ 'authorization-config': join(folder.path, 'none') })).toThrow(UsageError);
    const itself = { ...webhook.webhook, connectionInfo: { type: 'InClusterConfig' } };
    expect(() =>
      make({ 'authorization-config': fileOf(configured({ ...webhook, webhook: itself })) }),
    ).toThrow('InClusterConfig');
  });
});

describe('the mode Webhook', () => {
  it('calls the webhook of its kubeconfig', async () => {
    const flags: ServeFlags = {
      'authorization-mode': ['Webhook', 'AlwaysAllow'],
      'authorization-webhook-config-file': client,
    };
    const metrics = new Metrics();
    expect(await verdict(over(make(flags), alwaysAllow, metrics))).toBe('deny');
    expect(metrics.text()).toContain(
      'apiserver_authorization_decisions_total{type="Webhook",name="default",decision="denied"} 1',
    );
    expect(await verdict(over(make({ 'authorization-mode': ['AlwaysAllow'] })))).toBe('allow');
  });

  it('requires that file, and the file requires the mode', () => {
    expect(() => make({ 'authorization-mode': ['Webhook'] })).toThrow('--authorization-webhook-config-file');
    expect(() => make({ 'authorization-webhook-config-file': client })).toThrow(
      'needs --authorization-mode Webhook',
    );
  });
});

describe('admission plugins', () => {
  it('are enabled by known names', () => {
    const { parse } = serveFlags['enable-admission-plugins'];
    expect(parse('NodeRestriction')).toEqual(['NodeRestriction']);
    expect(parse('Priority')).toEqual(['Priority']);
    expect(() => parse('NodeRestriction,Other')).toThrow('unknown admission plugin Other');
    const disabled = serveFlags['disable-admission-plugins'].parse('Priority,RuntimeClass');
    expect(disabled).toEqual(['Priority', 'RuntimeClass']);
  });
});
