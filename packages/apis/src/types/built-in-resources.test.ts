import { kubernetesVocabulary, orchVocabulary, type Schema } from '@ashlar/core';
import { compileTyped } from '@ashlar/schema';
import { describe, expect, it } from 'vitest';
import { builtInResources } from './built-in-resources.ts';

const definitions = builtInResources(kubernetesVocabulary);

describe('the built-in types', () => {
  it('start with the core group', () => {
    expect(definitions.map(({ group, names }) => `${names.plural}.${group}`)).toEqual([
      'namespaces.',
      'configmaps.',
      'secrets.',
      'serviceaccounts.',
      'events.',
      'leases.coordination.k8s.io',
      'events.events.k8s.io',
      'clusterrolebindings.rbac.authorization.k8s.io',
      'clusterroles.rbac.authorization.k8s.io',
      'rolebindings.rbac.authorization.k8s.io',
      'roles.rbac.authorization.k8s.io',
    ]);
  });

  it('use the groups of the vocabulary', () => {
    const groups = new Set(builtInResources(orchVocabulary).map(({ group }) => group));
    expect([...groups]).toEqual(['', 'coordination.orch.io', 'events.orch.io', 'rbac.authorization.orch.io']);
  });

  it('store both kinds of events together', () => {
    expect(definitions.filter(({ storedAs }) => storedAs === 'events').map(({ group }) => group)).toEqual([
      'events.k8s.io',
    ]);
  });

  it('pass on the options', () => {
    const event = { apiVersion: 'v1', kind: 'Event', metadata: {} };
    const leases = builtInResources(kubernetesVocabulary, { eventTtlSeconds: 9 }).map(({ strategy }) =>
      strategy.leaseSeconds?.(event),
    );
    expect(leases.filter((seconds) => seconds !== undefined)).toEqual([9, 9]);
  });

  it.each(
    definitions.map((definition) => [`${definition.names.plural}.${definition.group}`, definition] as const),
  )('%s number every field of every type once, and compile', (_, { versions }) => {
    for (const { schema } of versions) {
      expect(repeatedTags(schema)).toEqual([]);
      expect(compileTyped(schema).decode({ metadata: { name: 'a' } }, () => {})).toMatchObject({
        metadata: { name: 'a' },
      });
    }
  });
});

/**
 * Names of fields without a number or with a duplicate one; `kind` and `apiVersion` of top-level objects have
 * none.
 */
function repeatedTags(schema: Schema): readonly string[] {
  const seen = new Set<string>();
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const inside = repeatedTags(field.items ?? field);
    const isIdentity =
      schema.properties?.metadata !== undefined && (name === 'kind' || name === 'apiVersion');
    const tag = String(field.tag);
    if (isIdentity || (field.tag !== undefined && !seen.has(tag))) {
      seen.add(tag);
      return inside;
    }
    return [name, ...inside];
  });
}
