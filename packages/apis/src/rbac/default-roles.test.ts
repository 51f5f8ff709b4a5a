import { kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { defaultRoles } from './default-roles.ts';

describe.each([kubernetesVocabulary, orchVocabulary])(
  'default roles, in the words of $name',
  (vocabulary) => {
    const { clusterRoles, clusterRoleBindings, roles, roleBindings } = defaultRoles(vocabulary);
    const named = (name: string) => clusterRoles.find(({ metadata }) => metadata.name === name);
    const { namespacePrefix: prefix, groupDomain } = vocabulary;

    it('are as many as those of the reference, each once', () => {
      const lists = [clusterRoles, clusterRoleBindings, roles, roleBindings];
      const keys = lists.map((list) => list.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`));
      expect(keys.map((list) => new Set(list).size)).toEqual([64, 45, 7, 7]);
      expect(lists.map((list) => list.length)).toEqual([64, 45, 7, 7]);
    });

    it('have the words of the vocabulary only', () => {
      const text = JSON.stringify([clusterRoles, clusterRoleBindings, roles, roleBindings]);
      expect(/k8s\.io|kube-|kubernetes\.io/.test(text)).toBe(vocabulary === kubernetesVocabulary);
      expect(text.includes('orch')).toBe(vocabulary === orchVocabulary);
    });

    it('are bound where they exist, and every controller has its account', () => {
      for (const { roleRef, metadata, subjects } of clusterRoleBindings) {
        expect(named(roleRef?.name ?? '')).toBeDefined();
        const controller = /^system:controller:(.*)$/.exec(metadata.name ?? '')?.[1];
        if (controller === undefined) continue;
        const namespace = `${prefix}-system`;
        expect(subjects).toEqual([{ kind: 'ServiceAccount', name: controller, namespace }]);
      }
      const unbound = roleBindings.filter(
        ({ roleRef, metadata }) =>
          !roles.some(
            (role) => role.metadata.name === roleRef?.name && role.metadata.namespace === metadata.namespace,
          ),
      );
      expect(unbound).toEqual([]);
    });

    it('let the programs of a cluster start as their own users', () => {
      const manager = `system:${prefix}-controller-manager`;
      const apiGroup = `rbac.authorization.${groupDomain}`;
      const user = { kind: 'User', apiGroup, name: manager };
      expect(clusterRoleBindings.find(({ metadata }) => metadata.name === manager)?.subjects).toEqual([user]);
      expect(named(manager)?.rules).toContainEqual({
        verbs: ['create'],
        apiGroups: [''],
        resources: ['serviceaccounts/token'],
      });
      const locking = roleBindings.find(({ metadata }) =>
        metadata.name?.endsWith(`${prefix}-controller-manager`),
      );
      expect(locking?.subjects?.[0]).toEqual(user);
    });

    it('are made once for all servers', () => {
      expect(defaultRoles(vocabulary)).toBe(defaultRoles(vocabulary));
    });
  },
);
