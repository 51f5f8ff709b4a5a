import { migrateManifest, versionForms } from '@ashlar/apis/withdrawn';
import { groupName, type JsonObject, vocabularies } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { withdrawnDefinitions } from './withdrawn-definitions.ts';

describe.each(Object.entries(vocabularies))(
  'definitions of v1beta1 with the names of %s',
  (_, vocabulary) => {
    const forms = versionForms(withdrawnDefinitions(vocabulary), vocabulary);
    const group = groupName(vocabulary, 'apiextensions.');
    const PRESERVE = { [`${vocabulary.extensionPrefix}preserve-unknown-fields`]: true };
    const form = (version: string) => {
      const found = forms.get(`${group}/${version} CustomResourceDefinition`);
      if (!found) throw new Error(`no form of ${version}`);
      return found;
    };
    const migrate = (spec: JsonObject) =>
      migrateManifest(
        {
          ...{ apiVersion: `${group}/v1beta1`, kind: 'CustomResourceDefinition' },
          metadata: { name: 'widgets.example.com' },
          spec: {
            ...{ group: 'example.com', names: { plural: 'widgets', kind: 'Widget' }, version: 'v1' },
            ...spec,
          },
        },
        form('v1beta1'),
        form('v1'),
      );
    const schemasOf = ({ spec }: JsonObject): readonly unknown[] =>
      (
        spec as { readonly versions: readonly { readonly schema?: { readonly openAPIV3Schema?: unknown } }[] }
      ).versions.map(({ schema }) => schema?.openAPIV3Schema);

    it('keep unknown fields by their schemas, also where they had none', () => {
      const migrated = migrate({});
      expect(migrated?.problems).toEqual([]);
      expect(migrated?.manifest.spec).not.toHaveProperty('preserveUnknownFields');
      expect(schemasOf(migrated?.manifest ?? {})).toEqual([{ type: 'object', ...PRESERVE }]);
    });

    it('name the types of what has fields or items', () => {
      const migrated = migrate({
        validation: {
          openAPIV3Schema: {
            properties: {
              metadata: { properties: { name: { type: 'string' } } },
              spec: {
                required: ['size'],
                properties: {
                  size: { type: 'integer' },
                  list: { items: { properties: { a: { type: 'string' } } } },
                  names: { type: 'array' },
                  labels: { additionalProperties: { type: 'string' } },
                  anything: {},
                  open: { type: 'object' },
                },
              },
            },
          },
        },
      });
      expect(migrated?.problems).toEqual([]);
      expect(schemasOf(migrated?.manifest ?? {})).toEqual([
        {
          type: 'object',
          properties: {
            metadata: { type: 'object', properties: { name: { type: 'string' } } },
            spec: {
              type: 'object',
              required: ['size'],
              properties: {
                size: { type: 'integer' },
                list: {
                  type: 'array',
                  items: { type: 'object', properties: { a: { type: 'string' } }, ...PRESERVE },
                },
                names: { type: 'array', items: PRESERVE },
                labels: { type: 'object', additionalProperties: { type: 'string' } },
                anything: PRESERVE,
                open: { type: 'object', ...PRESERVE },
              },
              ...PRESERVE,
            },
          },
          ...PRESERVE,
        },
      ]);
    });

    it('have problems where a schema cannot say the same', () => {
      const migrated = migrate({ validation: { openAPIV3Schema: { anyOf: [{ type: 'object' }] } } });
      expect(migrated?.problems).toEqual([expect.stringContaining('anyOf[0].type')]);
    });

    it('need an approval for protected groups', () => {
      const protectedGroup = `example.${vocabulary.groupDomain}`;
      const migrated = migrate({ group: protectedGroup });
      expect(migrated?.problems).toContainEqual(
        expect.stringMatching(/^metadata\.annotations\[.*\]: Required value: protected groups/),
      );
    });

    it('stay as they are where they drop unknown fields', () => {
      const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object' } } };
      const migrated = migrate({ preserveUnknownFields: false, validation: { openAPIV3Schema } });
      expect(migrated?.problems).toEqual([]);
      expect(schemasOf(migrated?.manifest ?? {})).toEqual([openAPIV3Schema]);
    });
  },
);
