import { orchVocabulary } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WebhookConfiguration } from './authorization-configuration.ts';
import { parseAuthorizationConfiguration } from './parse-authorization-configuration.ts';

const parse = (authorizers: unknown, rest: object = {}) =>
  parseAuthorizationConfiguration(
    JSON.stringify({
      ...{ apiVersion: 'apiserver.config.orch.io/v1', kind: 'AuthorizationConfiguration' },
      authorizers,
      ...rest,
    }),
    {
      vocabulary: orchVocabulary,
      fileProblem: (path) => (path === '/there' ? undefined : `error loading file: ${path}`),
    },
  );

const hook = {
  ...{ timeout: '3s', subjectAccessReviewVersion: 'v1', failurePolicy: 'Deny' },
  matchConditionSubjectAccessReviewVersion: 'v1',
  connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/there' },
};

const withHook = (changes: object) => [{ type: 'Webhook', name: 'hook', webhook: { ...hook, ...changes } }];

function hookOf(authorizers: unknown): WebhookConfiguration {
  const [first] = parse(authorizers).authorizers;
  if (first?.type !== 'Webhook') throw new Error('the first authorizer is no webhook');
  return first.webhook;
}

describe('an authorization configuration', () => {
  it('lists authorizers in order, with defaults', () => {
    const yaml = `
apiVersion: apiserver.config.orch.io/v1
kind: AuthorizationConfiguration
authorizers:
- {type: Node, name: node}
- {type: RBAC, name: rbac}
`;
    expect(parseAuthorizationConfiguration(yaml, { vocabulary: orchVocabulary })).toEqual({
      authorizers: [
        { type: 'Node', name: 'node' },
        { type: 'RBAC', name: 'rbac' },
      ],
    });
    expect(parse(withHook({ matchConditions: [{ expression: 'true' }] })).authorizers).toEqual([
      {
        ...{ type: 'Webhook', name: 'hook' },
        webhook: {
          ...{
            authorizedMilliseconds: 300_000,
            unauthorizedMilliseconds: 30_000,
            timeoutMilliseconds: 3_000,
          },
          ...{ version: 'v1', failurePolicy: 'Deny', matchConditions: ['true'] },
          connection: { type: 'KubeConfigFile', file: '/there' },
        },
      },
    ]);
  });

  it.each([
    [[], 'authorizers: Required value: at least one authorization mode must be defined'],
    [
      [{ type: 'Abac', name: 'a' }],
      'authorizers[0].type: Unsupported value: "Abac": supported values: "ABAC", "AlwaysAllow", "AlwaysDeny", "Node", "RBAC", "Webhook"',
    ],
    [[{ type: 'ABAC', name: 'a' }], 'expected name abac for authorizer ABAC instead of a'],
    [
      [{ type: 'AlwaysDeny', name: 'alwaysdeny', webhook: {} }],
      'authorizers[0].webhook: Invalid value: "non-null": may only be specified when type=Webhook',
    ],
    [[{ type: 'RBAC' }], 'authorizers[0].name: Required value'],
    [
      withHook({ connectionInfo: { type: 'InClusterConfig', kubeConfigFile: '/x' } }),
      'authorizers[0].connectionInfo.kubeConfigFile: Invalid value: "/x": can only be set when type=KubeConfigFile',
    ],
    [
      withHook({ connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/x' } }),
      'authorizers[0].connectionInfo.kubeConfigFile: Invalid value: "/x": error loading file: /x',
    ],
    [
      withHook({ matchConditions: [{ expression: 'request.user' }] }),
      'authorizers[0].matchConditions[0].expression: Invalid value: "request.user": must evaluate to bool but got string',
    ],
    [
      withHook({ matchConditions: Array.from({ length: 65 }, (_, i) => ({ expression: `${i} == 0` })) }),
      'authorizers[0].matchConditions: Too many: 65: must have at most 64 items',
    ],
    [
      withHook({ matchConditionSubjectAccessReviewVersion: '', matchConditions: [{ expression: 'true' }] }),
      'authorizers[0].matchConditionSubjectAccessReviewVersion: Required value: required if match conditions are specified',
    ],
    [[{ type: 'RBAC', name: 'roles' }], 'expected name rbac for authorizer RBAC instead of roles'],
    [
      [
        { type: 'Node', name: 'rbac' },
        { type: 'RBAC', name: 'node' },
      ],
      '[expected name node for authorizer Node instead of rbac, expected name rbac for authorizer RBAC instead of node]',
    ],
    [withHook({ timeout: '' }), 'time: invalid duration ""'],
    [withHook({ timeout: null }), 'time: invalid duration ""'],
    [
      withHook({ matchConditions: [{ expression: 'null' }] }),
      'Invalid value: "null": must evaluate to bool but got null_type',
    ],
    [withHook({ authorizedTTL: '' }), 'time: invalid duration ""'],
    [withHook({ unauthorizedTTL: '' }), 'time: invalid duration ""'],
    [withHook({ timeout: '-1s' }), 'authorizers[0].timeout: Invalid value: "-1s": must be > 0s and <= 30s'],
  ])('reports what is wrong with %j', (authorizers, message) => {
    expect(() => parse(authorizers)).toThrow(message);
  });

  it('may name authorizers without a configuration of their own', () => {
    const authorizers = ['AlwaysAllow', 'AlwaysDeny', 'ABAC', 'RBAC', 'Node'].map((type) => ({
      ...{ type, name: type.toLowerCase() },
    }));
    expect(parse(authorizers)).toEqual({ authorizers });
  });

  it.each([
    ['', 'authorizers: Required value: at least one authorization mode must be defined'],
    ['a: b', "Object 'Kind' is missing in 'a: b'"],
    ['null', "Object 'Kind' is missing in 'null'"],
    ['{"kind":"X"}', `Object 'apiVersion' is missing in '{"kind":"X"}'`],
    ['{"kind":"X","apiVersion":"a/"}', `Object 'apiVersion' is missing in '{"kind":"X","apiVersion":"a/"}'`],
    ['{"kind":"X","apiVersion":"a/b/c"}', 'unexpected GroupVersion string: a/b/c'],
    [
      '{"kind":5}',
      "couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string",
    ],
  ])('says what is wrong with the document %j', (document, message) => {
    expect(() => parseAuthorizationConfiguration(document, { vocabulary: orchVocabulary })).toThrow(
      expect.objectContaining({ message }),
    );
  });

  it('accepts up to 64 conditions', () => {
    const conditions = (length: number) =>
      withHook({ matchConditions: Array.from({ length }, (_, i) => ({ expression: `${i} == 0` })) });
    expect(hookOf(conditions(64)).matchConditions).toHaveLength(64);
    expect(() => parse(conditions(65))).toThrow('Too many: 65: must have at most 64 items');
  });

  it('accepts timeouts of up to thirty seconds', () => {
    const timeouts = ['1ns', '1s', '30s'].map((timeout) => hookOf(withHook({ timeout })).timeoutMilliseconds);
    expect(timeouts).toEqual([expect.any(Number), 1_000, 30_000]);
    for (const timeout of ['30.001s', '30s1ns', '1m'])
      expect(() => parse(withHook({ timeout }))).toThrow('must be > 0s and <= 30s');
    for (const timeout of [undefined, '0s'])
      expect(() => parse(withHook({ timeout }))).toThrow('authorizers[0].timeout: Required value');
  });

  it('has version v1 or an older one', () => {
    const authorizers = [{ type: 'RBAC', name: 'rbac' }];
    const of = (apiVersion: string) => parse(authorizers, { apiVersion });
    for (const version of ['v1', 'v1beta1', 'v1alpha1'])
      expect(of(`apiserver.config.orch.io/${version}`)).toEqual({ authorizers });
    for (const other of ['apiserver.config.orch.io/v2', 'apiserver.config.k8s.io/v1', 'v1'])
      expect(() => of(other)).toThrow(`is registered for version "${other}"`);
  });

  it('is rejected if it is of another kind', () => {
    expect(() => parse([], { kind: 'Other' })).toThrow('no kind "Other" is registered for version');
    expect(() => parse([], { more: 1 })).toThrow('strict decoding error: unknown field "more"');
    expect(() => parse(withHook({ timeout: 'soon' }))).toThrow('invalid duration');
    expect(() => parse([{ type: 1 }])).toThrow();
  });

  it('throws nothing else', () => {
    const part = fc.oneof(
      fc.constantFrom('RBAC', 'Webhook', 'a', '', '3s', '-1s'),
      fc.integer(),
      fc.constant(null),
    );
    const webhook = fc.record(
      {
        timeout: part,
        failurePolicy: part,
        connectionInfo: fc.record({ type: part }),
        matchConditions: part,
      },
      { requiredKeys: [] },
    );
    const authorizer = fc.record({ type: part, name: part, webhook }, { requiredKeys: [] });
    fc.assert(
      fc.property(fc.array(authorizer, { maxLength: 3 }), (authorizers) => {
        try {
          parse(authorizers);
        } catch (error) {
          expect((error as Error).name).toMatch(/InvalidAuthorizationError|DecodeError/);
        }
      }),
    );
  });
});
