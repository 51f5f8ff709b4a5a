import { kubernetesVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { causesOf, InMemoryResource } from '../types/in-memory-resource.fixture.ts';
import { clusterRoleBindings } from './role-bindings.ts';

describe('the role of a binding', () => {
  it('does not change, and the error shows the new one', async () => {
    const resource = new InMemoryResource(clusterRoleBindings(kubernetesVocabulary));
    const binding = (name: string) => ({
      metadata: { name: 'a' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    });
    await resource.create(binding('view'));
    expect(await causesOf(resource.replace('a', binding('edit')))).toEqual([
      'roleRef: Invalid value: rbac.RoleRef{APIGroup:"rbac.authorization.k8s.io", Kind:"ClusterRole", Name:"edit"}: cannot change roleRef',
    ]);
  });
});
