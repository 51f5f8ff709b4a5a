import { type AuthorizationAttributes, kubernetesVocabulary, type UserInfo } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PolicyRule } from './policy-rule.ts';
import { escalationError } from './privilege-escalation.ts';
import { createRbacAuthorizer } from './rbac-authorizer.ts';
import type { Role, RoleBinding, RoleSubject } from './rbac-objects.ts';
import { RbacPolicy } from './rbac-policy.ts';

const READ_PODS: PolicyRule = { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'] };

const role = (name: string, rules: readonly PolicyRule[], namespace?: string): Role => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: namespace ? 'Role' : 'ClusterRole',
  metadata: { name, ...(namespace && { namespace }) },
  rules,
});

const binding = (
  name: string,
  [kind, of]: readonly [string, string],
  subjects: readonly RoleSubject[],
  namespace?: string,
): RoleBinding => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: namespace ? 'RoleBinding' : 'ClusterRoleBinding',
  metadata: { name, ...(namespace && { namespace }) },
  subjects,
  roleRef: { kind, name: of },
});

const ask = (user: UserInfo, about: Partial<AuthorizationAttributes>): AuthorizationAttributes => ({
  user,
  verb: 'get',
  isResourceRequest: true,
  apiGroup: '',
  apiVersion: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'a',
  name: 'p',
  path: '',
  ...about,
});

const AL: UserInfo = { name: 'al', groups: ['dev'] };
const ROBOT: UserInfo = { name: 'system:serviceaccount:a:robot', groups: [] };

describe('createRbacAuthorizer', () => {
  it('allows what a binding of the namespace grants, and names it', () => {
    const policy = new RbacPolicy(kubernetesVocabulary);
    policy.setRole(role('reader', [READ_PODS], 'a'));
    policy.setRoleBinding(binding('b', ['Role', 'reader'], [{ kind: 'User', name: 'al' }], 'a'));
    const authorizer = createRbacAuthorizer(policy);
    expect(authorizer.authorize(ask(AL, {}))).toEqual({
      decision: 'allow',
      reason: 'RBAC: allowed by RoleBinding "b/a" of Role "reader" to User "al"',
    });
    expect(authorizer.authorize(ask(AL, { namespace: 'z' }))).toEqual({ decision: 'no-opinion' });
    expect(authorizer.authorize(ask(AL, { subresource: 'log' }))).toEqual({ decision: 'no-opinion' });
  });

  it("recognises service accounts, by default of the binding's namespace", () => {
    const policy = new RbacPolicy(kubernetesVocabulary);
    policy.setClusterRole(role('reader', [READ_PODS]));
    const robot = { kind: 'ServiceAccount', name: 'robot' };
    policy.setRoleBinding(binding('b', ['ClusterRole', 'reader'], [robot], 'a'));
    expect(createRbacAuthorizer(policy).authorize(ask(ROBOT, {}))).toEqual({
      decision: 'allow',
      reason: 'RBAC: allowed by RoleBinding "b/a" of ClusterRole "reader" to ServiceAccount "robot/a"',
    });
  });

  it('reports bindings whose roles are missing', () => {
    const policy = new RbacPolicy(kubernetesVocabulary);
    policy.setClusterRoleBinding(binding('x', ['ClusterRole', 'x'], [{ kind: 'Group', name: 'dev' }]));
    policy.setRoleBinding(binding('y', ['Role', 'y'], [{ kind: 'User', name: 'al' }], 'a'));
    expect(createRbacAuthorizer(policy).authorize(ask(AL, {}))).toEqual({
      decision: 'no-opinion',
      reason:
        'RBAC: [clusterrole.rbac.authorization.k8s.io "x" not found, role.rbac.authorization.k8s.io "y" not found]',
    });
  });

  it('grants paths by cluster bindings only', () => {
    const policy = new RbacPolicy(kubernetesVocabulary);
    const rule: PolicyRule = { verbs: ['get'], nonResourceURLs: ['/metrics/*', '/version'] };
    policy.setClusterRole(role('paths', [rule]));
    policy.setRoleBinding(binding('b', ['ClusterRole', 'paths'], [{ kind: 'User', name: 'al' }], 'a'));
    const authorizer = createRbacAuthorizer(policy);
    const path = { isResourceRequest: false, path: '/metrics/slis' };
    expect(authorizer.authorize(ask(AL, path))).toEqual({ decision: 'no-opinion' });
    policy.setClusterRoleBinding(binding('b', ['ClusterRole', 'paths'], [{ kind: 'User', name: 'al' }]));
    expect(authorizer.authorize(ask(AL, path))).toMatchObject({ decision: 'allow' });
    expect(authorizer.authorize(ask(AL, { ...path, path: '/metrics' }))).toEqual({ decision: 'no-opinion' });
  });

  it('follows deletions and changes', () => {
    const policy = new RbacPolicy(kubernetesVocabulary);
    const one = binding('b', ['ClusterRole', 'reader'], [{ kind: 'User', name: 'al' }]);
    policy.setClusterRole(role('reader', [READ_PODS]));
    policy.setClusterRoleBinding(one);
    policy.setClusterRoleBinding({ ...one, subjects: [{ kind: 'Group', name: 'dev' }] });
    const authorizer = createRbacAuthorizer(policy);
    expect(authorizer.authorize(ask({ name: 'al', groups: [] }, {}))).toEqual({ decision: 'no-opinion' });
    expect(authorizer.authorize(ask(AL, {}))).toMatchObject({ decision: 'allow' });
    policy.deleteClusterRoleBinding(one);
    expect(authorizer.authorize(ask(AL, {}))).toEqual({ decision: 'no-opinion' });
  });
});

describe('escalationError', () => {
  const resource = { group: 'rbac.authorization.k8s.io', resource: 'roles' };
  const grant = { user: AL, namespace: 'a', resource };

  it('lists missing permissions', () => {
    const policy = new RbacPolicy(kubernetesVocabulary);
    policy.setClusterRole(role('reader', [READ_PODS]));
    policy.setRoleBinding(binding('b', ['ClusterRole', 'reader'], [{ kind: 'User', name: 'al' }], 'a'));
    expect(escalationError(policy, grant, [READ_PODS])).toBeUndefined();
    expect(escalationError(policy, grant, [{ ...READ_PODS, verbs: ['get', 'create', 'delete'] }])).toBe(
      'user "al" (groups=["dev"]) is attempting to grant RBAC permissions not currently held:\n' +
        '{APIGroups:[""], Resources:["pods"], Verbs:["create" "delete"]}',
    );
  });

  it('says with the resource of the write which roles are missing', () => {
    const policy = new RbacPolicy(kubernetesVocabulary);
    policy.setRoleBinding(binding('b', ['ClusterRole', 'gone'], [{ kind: 'User', name: 'al' }], 'a'));
    expect(escalationError(policy, grant, [READ_PODS])).toMatch(
      /; resolution errors: \[roles\.rbac\.authorization\.k8s\.io "gone" not found\]$/,
    );
  });

  const texts = (...choices: readonly string[]) =>
    fc.array(fc.constantFrom(...choices), { minLength: 1, maxLength: 3 });
  const rules = fc.array(
    fc.record({
      verbs: texts('get', 'list', '*'),
      apiGroups: texts('', 'apps', '*'),
      resources: texts('pods', 'pods/log', '*/log', '*'),
    }),
    { maxLength: 3 },
  );

  it('allows exactly what grants nothing new', () => {
    fc.assert(
      fc.property(rules, rules, (held, wanted) => {
        const policy = new RbacPolicy(kubernetesVocabulary);
        policy.setClusterRole(role('r', held));
        policy.setClusterRoleBinding(binding('b', ['ClusterRole', 'r'], [{ kind: 'User', name: 'al' }]));
        if (escalationError(policy, { ...grant, namespace: '' }, wanted) !== undefined) return;
        const authorizer = createRbacAuthorizer(policy);
        for (const { verbs, apiGroups, resources } of wanted)
          for (const verb of verbs)
            for (const apiGroup of apiGroups)
              for (const path of resources) {
                const [resource = '', subresource = ''] = path.split('/');
                const attributes = ask(AL, { verb, apiGroup, resource, subresource });
                expect(authorizer.authorize(attributes)).toMatchObject({ decision: 'allow' });
              }
      }),
    );
  });
});
