import { type AuthorizationAttributes, orchVocabulary } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attributesOf } from '../decision/attributes.fixture.ts';
import { explainRbac } from './explain-rbac.ts';
import type { PolicyRule } from './policy-rule.ts';
import { createRbacAuthorizer } from './rbac-authorizer.ts';
import type { Role, RoleBinding } from './rbac-objects.ts';
import { RbacPolicy } from './rbac-policy.ts';

const reader: PolicyRule = {
  verbs: ['get'],
  apiGroups: [''],
  resources: ['configmaps'],
  resourceNames: ['a'],
};

function policyOf(...rules: readonly PolicyRule[]): RbacPolicy {
  const policy = new RbacPolicy(orchVocabulary);
  const metadata = { name: 'r', namespace: 'ns' };
  policy.setRole({ metadata, rules } as unknown as Role);
  const subjects = [{ kind: 'User', name: 'anna' }];
  policy.setRoleBinding({
    metadata,
    subjects,
    roleRef: { kind: 'Role', name: 'r' },
  } as unknown as RoleBinding);
  return policy;
}

describe('an explanation of roles', () => {
  it('names the rule that allows', () => {
    const attributes = attributesOf({ verb: 'get', name: 'a' });
    expect(explainRbac(policyOf(reader), attributes)).toEqual({
      allowed: true,
      by: {
        heldBy: 'RoleBinding "r/ns" of Role "r" to User "anna"',
        rule: '{APIGroups:[""], Resources:["configmaps"], ResourceNames:["a"], Verbs:["get"]}',
        misses: [],
      },
      others: [],
      errors: [],
    });
  });

  it.each([
    [{ verb: 'list', name: 'a' }, ['verb']],
    [{ verb: 'get', name: 'b' }, ['resourceName']],
    [{ verb: 'get', name: 'a', subresource: 'status' }, ['resource']],
    [{ verb: 'get', name: 'a', apiGroup: 'apps', resource: 'deployments' }, ['apiGroup', 'resource']],
    [{ verb: 'put', isResourceRequest: false, path: '/version' }, []],
  ])('reports what a rule lacks for %j', (changes: Partial<AuthorizationAttributes>, misses) => {
    const { allowed, others } = explainRbac(policyOf(reader), attributesOf(changes));
    expect(allowed).toBe(false);
    expect(others.map((other) => other.misses)).toEqual(misses.length > 0 ? [misses] : []);
  });

  it('sorts by similarity', () => {
    const far: PolicyRule = { verbs: ['delete'], apiGroups: ['apps'], resources: ['deployments'] };
    const { others } = explainRbac(policyOf(far, reader), attributesOf({ verb: 'list', name: 'a' }));
    expect(others.map(({ misses }) => misses.length)).toEqual([1, 3]);
  });

  it('reports missing roles', () => {
    const policy = policyOf();
    policy.deleteRole({ metadata: { name: 'r', namespace: 'ns' } } as unknown as Role);
    expect(explainRbac(policy, attributesOf()).errors).toEqual([
      'role.rbac.authorization.orch.io "r" not found',
    ]);
  });

  it('agrees with the authorizer, with a reason for every rule that does not allow', () => {
    const word = fc.constantFrom('get', 'list', '*', '', 'apps', 'configmaps', 'configmaps/status', 'a');
    const words = fc.array(word, { maxLength: 2 });
    const rule = fc.record({ verbs: words, apiGroups: words, resources: words, resourceNames: words });
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 3 }), word, word, (rules, verb, name) => {
        const policy = policyOf(...rules);
        const attributes = attributesOf({ verb, name });
        const { decision } = createRbacAuthorizer(policy).authorize(attributes) as { decision: string };
        const { allowed, others } = explainRbac(policy, attributes);
        expect(allowed).toBe(decision === 'allow');
        for (const { misses } of others) expect(misses).not.toEqual([]);
      }),
    );
  });
});
