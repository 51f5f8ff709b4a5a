import { groupName } from '@ashlar/core';
import { expect } from 'vitest';
import { CONFIG_MAPS, SECRETS } from '../clause-server.fixture.ts';
import { forEachAccess, rule, type WireRule } from './access-server.fixture.ts';

forEachAccess('RBAC objects', (test) => {
  const rules = [{ verbs: ['get'], apiGroups: [''], resources: ['configmaps'] }];
  const subjects = [{ kind: 'ServiceAccount', name: 'robot', namespace: 'a' }];

  test('A022: a Role is of a namespace and has rules', async ({ access, paths, vocabulary }) => {
    const path = `${paths.rbac}/namespaces/a/roles`;
    const made = await access.root.post(path, { metadata: { name: 'r' }, rules });
    expect(made).toMatchObject({
      status: 201,
      body: {
        apiVersion: `${groupName(vocabulary, 'rbac.authorization.')}/v1`,
        kind: 'Role',
        metadata: { name: 'r', namespace: 'a' },
        rules,
      },
    });
    expect(await access.root.get(`${paths.rbac}/namespaces/b/roles/r`)).toMatchObject({ status: 404 });
    expect(await access.root.post(`${paths.rbac}/roles`, { metadata: { name: 'r' } })).toMatchObject({
      status: 405,
    });
  });

  test('A023: a ClusterRole is cluster-scoped and may aggregate others', async ({ access, paths }) => {
    const path = `${paths.rbac}/clusterroles`;
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { 'to-x': 'true' } }] };
    expect(await access.root.post(path, { metadata: { name: 'plain' }, rules })).toMatchObject({
      status: 201,
      body: { kind: 'ClusterRole', metadata: { name: 'plain' }, rules },
    });
    const collecting = await access.root.post(path, { metadata: { name: 'x' }, aggregationRule });
    expect(collecting).toMatchObject({ status: 201, body: { aggregationRule } });
    expect(collecting.body.metadata).not.toHaveProperty('namespace');
    expect((await access.root.get(`${path}/plain`)).body).not.toHaveProperty('aggregationRule');
    const nothing = { metadata: { name: 'y' }, aggregationRule: { clusterRoleSelectors: [] } };
    expect(await access.root.post(path, nothing)).toMatchObject({ status: 422 });
    const elsewhere = `${paths.rbac}/namespaces/a/clusterroles`;
    expect((await access.root.post(elsewhere, { metadata: { name: 'z' } })).status).toBeGreaterThanOrEqual(
      400,
    );
  });

  test('A024: a RoleBinding is namespaced and grants a role to subjects', async ({ access, paths }) => {
    const path = `${paths.rbac}/namespaces/a/rolebindings`;
    const roleRef = { kind: 'Role', name: 'r' };
    const made = await access.root.post(path, { metadata: { name: 'b' }, subjects, roleRef });
    expect(made).toMatchObject({
      status: 201,
      body: { kind: 'RoleBinding', metadata: { name: 'b', namespace: 'a' }, subjects, roleRef },
    });
    expect(await access.root.post(path, { metadata: { name: 'c' }, roleRef })).toMatchObject({ status: 201 });
    expect(await access.root.post(path, { metadata: { name: 'd' }, subjects })).toMatchObject({
      status: 422,
    });
  });

  test('A025: a ClusterRoleBinding is cluster-scoped and grants a role to subjects', async ({
    access,
    paths,
  }) => {
    const path = `${paths.rbac}/clusterrolebindings`;
    const roleRef = { kind: 'ClusterRole', name: 'view' };
    const made = await access.root.post(path, { metadata: { name: 'b' }, subjects, roleRef });
    expect(made).toMatchObject({ status: 201, body: { kind: 'ClusterRoleBinding', subjects, roleRef } });
    expect(made.body.metadata).not.toHaveProperty('namespace');
    const toRole = { metadata: { name: 'c' }, subjects, roleRef: { kind: 'Role', name: 'view' } };
    expect(await access.root.post(path, toRole)).toMatchObject({ status: 422 });
  });

  const named = (resourceNames: readonly string[]): WireRule => rule('get', 'configmaps', { resourceNames });
  test.for<[name: string, rule: WireRule, may: string[], not: string[]]>([
    ['group and resource', rule('get', 'configmaps'), ['/m'], ['/s', '/l', '/m/status', '/ms']],
    ['a subresource', rule('get', 'configmaps/status'), ['/m/status'], ['/m', '/s/status']],
    ['names', named(['x', 'm']), ['/m'], ['/n', '/ms']],
    ['no names', named([]), ['/m', '/n'], ['/s']],
    ['verbs', rule('get,list', 'configmaps'), ['/m', '/ms'], ['/s']],
    ['every verb', rule('*', 'configmaps'), ['/m', '/ms'], ['/s']],
    ['every resource', rule('get', '*'), ['/m', '/s', '/m/status'], ['/ms', '/l']],
    ['every group', rule('get', 'configmaps', { apiGroups: ['*'] }), ['/m'], ['/s', '/l']],
    ['everything', rule('*', '*', { apiGroups: ['*'] }), ['/m', '/s', '/l', '/ms', '/m/status'], ['/v']],
  ])('A026: a rule names %s', async ([, only, may, not], { access, vocabulary }) => {
    const leases = `/apis/${groupName(vocabulary, 'coordination.')}/v1/namespaces/a/leases`;
    const targets: Record<string, string> = {
      '/m': `${CONFIG_MAPS}/m`,
      '/n': `${CONFIG_MAPS}/n`,
      '/ms': CONFIG_MAPS,
      '/m/status': `${CONFIG_MAPS}/m/status`,
      '/s': `${SECRETS}/m`,
      '/s/status': `${SECRETS}/m/status`,
      '/l': `${leases}/m`,
      '/v': '/metrics',
    };
    await access.allow('only', [only]);
    const allowed: string[] = [];
    for (const target of [...may, ...not]) {
      const { status } = await access.al.get(targets[target] ?? '');
      // allowed reads of missing objects are not found
      expect([200, 403, 404]).toContain(status);
      if (status !== 403) allowed.push(target);
    }
    expect(allowed).toEqual(may);
  });

  test('A026: a rule names paths, exactly or as prefixes, in cluster roles only', async ({
    access,
    paths,
  }) => {
    const nonResourceURLs = ['/metrics', '/livez/*'];
    await access.allowEverywhere('paths', [{ verbs: ['get'], nonResourceURLs }]);
    for (const path of ['/metrics', '/livez/ping'])
      expect(await access.al.get(path)).toMatchObject({ status: 200 });
    for (const path of ['/metrics/slis', '/readyz/ping'])
      expect(await access.al.get(path)).toMatchObject({ status: 403 });
    const role = { metadata: { name: 'r' }, rules: [{ verbs: ['get'], nonResourceURLs }] };
    expect(await access.root.post(`${paths.rbac}/namespaces/a/roles`, role)).toMatchObject({ status: 422 });
    const mixed = { metadata: { name: 'r' }, rules: [{ ...rule('get', 'configmaps'), nonResourceURLs }] };
    expect(await access.root.post(`${paths.rbac}/clusterroles`, mixed)).toMatchObject({ status: 422 });
  });

  test('A027: subjects are users, groups and service accounts', async ({ access, paths }) => {
    const token = await access.accountToken('robot');
    for (const [subject, who] of [
      [{ kind: 'User', name: 'bo' }, 'bo'],
      [{ kind: 'Group', name: 'dev' }, 'al'],
      [{ kind: 'ServiceAccount', name: 'robot', namespace: 'a' }, token],
    ] as const) {
      expect(await access.as(who).get(CONFIG_MAPS)).toMatchObject({ status: 403 });
      await access.allow(`for-${subject.kind.toLowerCase()}`, [rule('list', 'configmaps')], subject);
      expect(await access.as(who).get(CONFIG_MAPS)).toMatchObject({ status: 200 });
    }
    const other = { kind: 'Other', name: 'x' };
    const binding = { metadata: { name: 'b' }, roleRef: { kind: 'Role', name: 'r' }, subjects: [other] };
    expect(await access.root.post(`${paths.rbac}/namespaces/a/rolebindings`, binding)).toMatchObject({
      status: 422,
    });
  });

  test('A027: names of subjects are case-sensitive', async ({ access }) => {
    await access.allow('upper', [rule('list', 'configmaps')], { kind: 'User', name: 'Al' });
    await access.allow('upper-group', [rule('list', 'configmaps')], { kind: 'Group', name: 'DEV' });
    expect(await access.al.get(CONFIG_MAPS)).toMatchObject({ status: 403 });
  });

  test('A027: users, groups and roles have the API group of roles', async ({ access, paths, vocabulary }) => {
    const path = `${paths.rbac}/namespaces/a/rolebindings`;
    const apiGroup = groupName(vocabulary, 'rbac.authorization.');
    const roleRef = { kind: 'ClusterRole', name: 'view' };
    const named = ['User', 'Group'].map((kind) => ({ kind, name: 'x' }));
    const { body } = await access.root.post(path, {
      metadata: { name: 'b' },
      roleRef,
      subjects: [...named, ...subjects],
    });
    expect(body.roleRef).toEqual({ ...roleRef, apiGroup });
    expect(body.subjects).toEqual([...named.map((subject) => ({ ...subject, apiGroup })), ...subjects]);
    const foreign = { apiGroup: 'example.com' };
    for (const wrong of [
      { roleRef: { ...roleRef, ...foreign } },
      { roleRef: { kind: 'Other', name: 'view' } },
      { roleRef: { kind: 'Role', name: '' } },
      { roleRef, subjects: [{ ...named[0], ...foreign }] },
      { roleRef, subjects: [{ ...subjects[0], apiGroup }] },
    ])
      expect(await access.root.post(path, { metadata: { name: 'c' }, ...wrong })).toMatchObject({
        status: 422,
      });
  });
});
