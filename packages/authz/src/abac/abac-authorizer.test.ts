import { type AuthorizationAttributes, kubernetesVocabulary as vocabulary } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAbacAuthorizer } from './abac-authorizer.ts';
import { decodeAbacPolicy } from './abac-policy.ts';
import { parseAbacPolicyFile } from './abac-policy-file.ts';

const line = (spec: object): string =>
  JSON.stringify({ apiVersion: 'abac.authorization.kubernetes.io/v1beta1', kind: 'Policy', spec });

const attributes = (more: Partial<AuthorizationAttributes>): AuthorizationAttributes => ({
  user: { name: 'al', groups: ['dev', 'system:authenticated'] },
  verb: 'get',
  isResourceRequest: true,
  apiGroup: '',
  apiVersion: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'a',
  name: '',
  path: '',
  ...more,
});

async function allowed(specs: readonly object[], more: Partial<AuthorizationAttributes>): Promise<boolean> {
  const { policies } = parseAbacPolicyFile(specs.map(line).join('\n'), 'f', vocabulary);
  return (await createAbacAuthorizer(policies).authorize(attributes(more))).decision === 'allow';
}

describe('createAbacAuthorizer', () => {
  it('requires every field of a policy to match', async () => {
    const policy = { user: 'al', namespace: 'a', resource: 'pods', apiGroup: '' };
    expect(await allowed([policy], {})).toBe(true);
    expect(await allowed([policy], { subresource: 'log', verb: 'delete' })).toBe(true);
    for (const other of [
      { namespace: 'b' },
      { resource: 'nodes' },
      { apiGroup: 'apps' },
      { user: { name: 'bo', groups: [] } },
    ])
      expect(await allowed([policy], other)).toBe(false);
  });

  it('requires user and group if both are named', async () => {
    const policy = { user: 'al', group: 'ops', namespace: '*', resource: '*', apiGroup: '*' };
    expect(await allowed([policy], {})).toBe(false);
    expect(await allowed([policy], { user: { name: 'al', groups: ['ops'] } })).toBe(true);
    expect(await allowed([{ namespace: '*', resource: '*', apiGroup: '*' }], {})).toBe(false);
  });

  it('matches every authenticated user by a star', async () => {
    const anonymous = { user: { name: 'system:anonymous', groups: ['system:unauthenticated'] } };
    for (const who of [{ user: '*' }, { group: '*' }]) {
      const policy = { ...who, namespace: '*', resource: '*', apiGroup: '*' };
      expect(await allowed([policy], {})).toBe(true);
      expect(await allowed([policy], anonymous)).toBe(false);
    }
  });

  it('allows only reads by a readonly policy', async () => {
    const policy = { user: 'al', namespace: '*', resource: '*', apiGroup: '*', readonly: true };
    expect(await allowed([policy], { verb: 'watch' })).toBe(true);
    expect(await allowed([policy], { verb: 'create' })).toBe(false);
  });

  it('matches paths, exactly or as prefixes', async () => {
    const ask = { isResourceRequest: false, resource: '', namespace: '' };
    const policies = [
      { user: 'al', nonResourcePath: '/version' },
      { user: 'al', nonResourcePath: '/a/*' },
    ];
    expect(await allowed(policies, { ...ask, path: '/version' })).toBe(true);
    expect(await allowed(policies, { ...ask, path: '/version/' })).toBe(false);
    expect(await allowed(policies, { ...ask, path: '/a/b/c' })).toBe(true);
    expect(await allowed(policies, {})).toBe(false);
    expect(await allowed([{ user: 'al', nonResourcePath: '/a**' }], { ...ask, path: '/ab' })).toBe(true);
  });

  it('lists rules of policies of a namespace, those about paths as well', () => {
    const specs = [
      { user: 'al', namespace: 'a', resource: 'pods', nonResourcePath: '/x', readonly: true },
      { user: 'al', nonResourcePath: '/y' },
    ];
    const { policies } = parseAbacPolicyFile(specs.map(line).join('\n'), 'f', vocabulary);
    const { user } = attributes({});
    const verbs = ['get', 'list', 'watch'];
    expect(createAbacAuthorizer(policies).rules?.(user, 'a')).toMatchObject({
      resourceRules: [{ verbs, apiGroups: [''], resources: ['pods'] }],
      nonResourceRules: [{ verbs, nonResourceURLs: ['/x'] }],
    });
    expect(createAbacAuthorizer(policies).rules?.(user, '')).toMatchObject({
      ...{ resourceRules: [], nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['/y'] }] },
    });
  });
});

describe('parseAbacPolicyFile', () => {
  it('skips blank lines and comments, and reports the invalid line', () => {
    expect(parseAbacPolicyFile(`# x\n\n${line({ user: 'al' })}\n`, 'f', vocabulary).policies).toHaveLength(1);
    expect(() => parseAbacPolicyFile(`\n{"kind":"Policy"}`, 'p', vocabulary)).toThrow(
      `error reading policy file p, line 2: {"kind":"Policy"}: Object 'apiVersion' is missing in '{"kind":"Policy"}'`,
    );
    expect(() => parseAbacPolicyFile('{', 'p', vocabulary)).toThrow(
      "error reading policy file p, line 1: {: couldn't get version/kind; json parse error: unexpected end of JSON input",
    );
  });

  it.each([
    ['null', "Object 'Kind' is missing in 'null'"],
    ['[]', /^couldn't get version\/kind; json parse error: json: cannot unmarshal array into Go value/],
    ['{"apiVersion":"a/b/c","kind":"Policy"}', 'unexpected GroupVersion string: a/b/c'],
    ['{"user":5}', 'json: cannot unmarshal number into Go struct field Policy.user of type string'],
    [
      line({ readonly: 'x' }),
      'json: cannot unmarshal string into Go struct field PolicySpec.spec.readonly of type bool',
    ],
    [line([]), 'json: cannot unmarshal array into Go struct field Policy.spec of type v1beta1.PolicySpec'],
    ['{"apiVersion":"v1","kind":"Pod"}', 'no kind "Pod" is registered for version "v1"'],
    ['a: [', 'yaml: line 1: did not find expected node content'],
  ])('says what is wrong with the line %s', (text, why) => {
    const said = typeof why === 'string' ? why : expect.stringMatching(why);
    expect(() => decodeAbacPolicy(text, vocabulary)).toThrow(expect.objectContaining({ message: said }));
  });

  it('shows the line as it is', () => {
    expect(() => parseAbacPolicyFile(' {"user":5} \r\n', 'p', vocabulary)).toThrow(
      'error reading policy file p, line 1:  {"user":5} : json: ',
    );
  });

  it('reads YAML, passes over unknown fields, and allows nothing without a spec', () => {
    expect(decodeAbacPolicy('user: al', vocabulary)).toMatchObject({
      ...{ isVersionless: true, policy: { user: 'al', namespace: '*' } },
    });
    expect(decodeAbacPolicy(line({ user: 'al', other: 1 }), vocabulary)).toMatchObject({
      ...{ isVersionless: false, policy: { user: 'al', group: '', namespace: '' } },
    });
    const version = { apiVersion: 'abac.authorization.kubernetes.io/v1beta1', kind: 'Policy' };
    expect(decodeAbacPolicy(JSON.stringify(version), vocabulary).policy).toMatchObject({
      user: '',
      group: '',
    });
  });

  it('ignores what the older form does not have', () => {
    const older = { user: 'al', resource: 'pods', apiGroup: 'apps', nonResourcePath: '/x' };
    expect(decodeAbacPolicy(JSON.stringify(older), vocabulary).policy).toMatchObject({
      ...{ apiGroup: '*', nonResourcePath: '', namespace: '*' },
    });
  });

  it('parses the older form, with a warning', () => {
    const { policies, warnings } = parseAbacPolicyFile('{"user":"al","readonly":true}', 'p', vocabulary);
    expect(policies).toMatchObject([
      { user: 'al', readonly: true, resource: '*', namespace: '*', apiGroup: '*' },
    ]);
    expect(warnings).toEqual(['p, line 1: the form without a version is deprecated']);
  });

  it('throws only one class of error', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        try {
          parseAbacPolicyFile(text, 'p', vocabulary);
        } catch (error) {
          expect((error as Error).message).toMatch(/^error reading policy file p, line \d+: /);
        }
      }),
    );
  });
});
