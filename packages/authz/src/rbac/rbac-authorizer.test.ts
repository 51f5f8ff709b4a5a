import { type AuthorizationAttributes, kubernetesVocabulary, type UserInfo } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { PolicyRule } from './policy-rule.ts';
import { escalationError, escalationSteps } from './privilege-escalation.ts';
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

describe('users with many rules', () => {
  const LARGE = Array.from({ length: 15_000 }, (_, i) => ({ ...READ_PODS, resourceNames: [`p${i}`] }));
  const policy = new RbacPolicy(kubernetesVocabulary);
  for (const name of ['one', 'two', 'three']) policy.setRole(role(name, LARGE, 'a'));
  policy.setRole(role('reader', [READ_PODS], 'a'));
  for (const [i, name] of ['one', 'two', 'three', 'one', 'two', 'gone', 'reader'].entries())
    policy.setRoleBinding(binding(`b${i}`, ['Role', name], [{ kind: 'User', name: 'al' }], 'a'));
  const last = {
    decision: 'allow',
    reason: 'RBAC: allowed by RoleBinding "b6/a" of Role "reader" to User "al"',
  };
  const none = { decision: 'no-opinion', reason: 'RBAC: role.rbac.authorization.k8s.io "gone" not found' };

  it('are decided about with pauses', async () => {
    const turns = { requestBegan() {}, atEndOfTurn() {}, pause: async () => {} };
    const pause = vi.spyOn(turns, 'pause');
    let now = 0;
    const clock = { ...createSteppedClock(), monotonic: () => (now += 20) };
    const authorizer = createRbacAuthorizer(policy, { clock, turns });
    const decision = authorizer.authorize(ask(AL, {}));
    expect(decision).toBeInstanceOf(Promise);
    expect(await decision).toEqual(last);
    expect(pause).toHaveBeenCalled();
    expect(await authorizer.authorize(ask(AL, { resource: 'secrets' }))).toEqual(none);
  });

  it('are decided about without an ambient', () => {
    expect(createRbacAuthorizer(policy).authorize(ask(AL, {}))).toEqual(last);
  });

  it('have incomplete lists of rules', () => {
    const long = new RbacPolicy(kubernetesVocabulary);
    long.setRole(role('r', [{ ...READ_PODS, resourceNames: ['x'.repeat(300_000)] }], 'a'));
    for (let i = 0; i < 10; i++)
      long.setRoleBinding(binding(`b${i}`, ['Role', 'r'], [{ kind: 'User', name: 'al' }], 'a'));
    const list = createRbacAuthorizer(long).rules?.(AL, 'a');
    expect(list).toMatchObject({
      incomplete: true,
      errors: ['only rules of up to 1048576 bytes are listed'],
    });
    expect(list).toHaveProperty('resourceRules.length', 3);
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

  it('does not multiply what one held rule covers', () => {
    const policy = new RbacPolicy(kubernetesVocabulary);
    const many = (prefix: string) => Array.from({ length: 1000 }, (_, i) => `${prefix}${i}`);
    const product = { apiGroups: many('g'), resources: many('r'), verbs: many('v') };
    policy.setClusterRole(role('all', [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }]));
    policy.setRoleBinding(binding('b', ['ClusterRole', 'all'], [{ kind: 'User', name: 'al' }], 'a'));
    expect(escalationError(policy, grant, [product])).toBeUndefined();
  });

  it.each([
    ['multiply', { apiGroups: 1000, resources: 1000, verbs: 1000 }],
    ['have long texts', { apiGroups: 1, resources: 1000, verbs: 1 }],
  ])('refuses to compare rules that %s', (_, sizes) => {
    const policy = new RbacPolicy(kubernetesVocabulary);
    policy.setClusterRole(role('reader', [READ_PODS]));
    policy.setRoleBinding(binding('b', ['ClusterRole', 'reader'], [{ kind: 'User', name: 'al' }], 'a'));
    const list = (length: number) => Array.from({ length }, (_each, i) => `${'x'.repeat(1000)}${i}`);
    const rule = {
      apiGroups: list(sizes.apiGroups),
      resources: list(sizes.resources),
      verbs: list(sizes.verbs),
    };
    expect(escalationError(policy, grant, [rule])).toBe(
      'user "al" (groups=["dev"]) is attempting to grant more RBAC permissions than can be compared with those currently held',
    );
  });

  it('compares with pauses, and a role that is bound often once', () => {
    const policy = new RbacPolicy(kubernetesVocabulary);
    const named = (name: string) => ({ ...READ_PODS, resourceNames: [name] });
    policy.setClusterRole(
      role(
        'reader',
        Array.from({ length: 500 }, (_, i) => named(`p${i}`)),
      ),
    );
    for (let i = 0; i < 1000; i++)
      policy.setRoleBinding(binding(`b${i}`, ['ClusterRole', 'reader'], [{ kind: 'User', name: 'al' }], 'a'));
    const steps = escalationSteps(
      policy,
      grant,
      Array.from({ length: 500 }, (_, i) => named(`p${i}`)),
    );
    let pauses = 0;
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) {
        expect(step.value).toBeUndefined();
        break;
      }
      pauses++;
    }
    expect(pauses).toBeGreaterThan(10);
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
