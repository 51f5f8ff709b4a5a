import { orchVocabulary } from '@ashlar/core';
import { objectDecoder } from '@ashlar/registry';
import type { CustomResourceDefinition, DefinitionVersion } from './custom-resource-definition.ts';
import { customResourceDefinitions } from './definition-resource.ts';

/** A version with a small schema. */
export const v1: DefinitionVersion = {
  name: 'v1',
  served: true,
  storage: true,
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: { type: 'object', properties: { size: { type: 'integer' }, color: { type: 'string' } } },
        status: { type: 'object', properties: { ready: { type: 'integer' } } },
      },
    },
  },
};

type Parts = Partial<Omit<CustomResourceDefinition['spec'], 'names'>> & {
  readonly names?: Partial<CustomResourceDefinition['spec']['names']>;
};

/** Widgets of example.com, with overrides and defaults, as decoded. */
export function widgets(
  { names, ...spec }: Parts = {},
  more: Partial<CustomResourceDefinition> = {},
): CustomResourceDefinition {
  const declared = {
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget', ...names },
      versions: [v1],
      ...spec,
    },
    ...more,
  };
  const resource = customResourceDefinitions(orchVocabulary);
  const [version] = resource.versions;
  if (!version) throw new TypeError('definitions have a version');
  return objectDecoder(resource, version).decode(JSON.parse(JSON.stringify(declared)), {
    fieldValidation: 'Ignore',
    findings: [],
    warn: () => {},
  }) as CustomResourceDefinition;
}

/** The same, established with accepted names. */
export function established(definition: CustomResourceDefinition): CustomResourceDefinition {
  const conditions = [
    { type: 'NamesAccepted', status: 'True' },
    { type: 'Established', status: 'True' },
  ];
  return {
    ...definition,
    metadata: { ...definition.metadata, uid: '1', generation: 1 },
    status: { conditions, acceptedNames: definition.spec.names, storedVersions: ['v1'] },
  };
}
