import { objectMetaSchema, orchVocabulary, type Schema } from '@ashlar/core';
import type { ResourceDefinition, ResourceStorage } from '@ashlar/registry';
import { describe, expect, it } from 'vitest';
import { ServedResource } from '../catalog/served-resource.ts';
import { OpenApiComponents } from './openapi-components.ts';

const part: Schema = {
  type: 'object',
  typeName: 'api.example.v1.Part',
  properties: {
    size: { type: 'integer', tag: 1, alwaysPrinted: true },
    since: {
      type: 'string',
      format: 'date-time-micro',
      typeName: 'apimachinery.pkg.apis.meta.v1.MicroTime',
      tag: 2,
    },
    cost: { type: 'string', format: 'quantity', typeName: 'apimachinery.pkg.api.resource.Quantity', tag: 3 },
    port: { intOrString: true, typeName: 'apimachinery.pkg.util.intstr.IntOrString', tag: 4 },
    uid: { type: 'string', typeName: 'apimachinery.pkg.types.UID', tag: 5 },
  },
};
const whole: Schema = {
  type: 'object',
  typeName: 'api.example.v1.Whole',
  description: 'A whole.',
  properties: {
    metadata: { ...objectMetaSchema, tag: 1 },
    first: { ...part, tag: 2, description: 'The first.', patchStrategy: 'retainKeys' },
    second: { ...part, tag: 3, optional: true },
    bare: { ...part, tag: 6, optional: true, bareReference: true },
    rest: { type: 'array', items: part, tag: 4 },
    itself: { ...part, typeName: 'api.example.v1.Whole', tag: 5, optional: true },
  },
};

function schemasOf(schema: Schema, definition: Partial<ResourceDefinition> = {}): Record<string, unknown> {
  const version = { name: 'v1', served: true, storage: true, schema };
  const names = { plural: 'wholes', singular: 'whole', kind: 'Whole', listKind: 'WholeList' };
  const full: ResourceDefinition = {
    group: 'example.com',
    names,
    scope: 'Cluster',
    dialect: 'built-in',
    versions: [version],
    strategy: { validateName: () => [] },
    ...definition,
  };
  const served = new ServedResource(full, full.versions[0] ?? version, {} as ResourceStorage, {
    vocabulary: orchVocabulary,
  });
  const components = new OpenApiComponents(
    orchVocabulary,
    new Map([['api.example.v1.Part', { group: 'example.com', version: 'v1', kind: 'Part' }]]),
  );
  components.list(served);
  return components.schemas;
}

describe('the schema of a list', () => {
  it('has the name of its kind', () => {
    const names = { plural: 'wholes', singular: 'whole', kind: 'Whole', listKind: 'Halves' };
    const schemas = schemasOf({ type: 'object' }, { names, dialect: 'custom' });
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining(['com.example.v1.Whole', 'com.example.v1.Halves']),
    );
    expect(Object.keys(schemas)).not.toContain('com.example.v1.WholeList');
  });
});

const reference = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const PART = reference('io.orch.api.example.v1.Part');

describe('schemas of built-in types', () => {
  const schemas = schemasOf(whole);

  it('are separate from the fields that use them, which keep their own keywords', () => {
    expect(schemas['io.orch.api.example.v1.Whole']).toMatchObject({
      description: 'A whole.',
      properties: {
        first: {
          description: 'The first.',
          default: {},
          'x-orch-patch-strategy': 'retainKeys',
          allOf: [PART],
        },
        second: { allOf: [PART] },
        bare: PART,
        rest: { type: 'array', items: { default: {}, allOf: [PART] } },
      },
      'x-orch-group-version-kind': [{ group: 'example.com', kind: 'Whole', version: 'v1' }],
    });
    expect(schemas['io.orch.api.example.v1.Part']).not.toHaveProperty('description');
    expect(schemas['io.orch.apimachinery.pkg.apis.meta.v1.ObjectMeta']).toHaveProperty('description');
  });

  it('contain what clients can use, not what encodings need', () => {
    expect(schemas['io.orch.api.example.v1.Part']).toEqual({
      type: 'object',
      properties: {
        size: { type: 'integer', default: 0 },
        since: { allOf: [reference('io.orch.apimachinery.pkg.apis.meta.v1.MicroTime')] },
        cost: { allOf: [reference('io.orch.apimachinery.pkg.api.resource.Quantity')] },
        port: { allOf: [reference('io.orch.apimachinery.pkg.util.intstr.IntOrString')] },
        uid: { type: 'string' },
      },
      'x-orch-group-version-kind': [{ group: 'example.com', kind: 'Part', version: 'v1' }],
    });
    expect(schemas['io.orch.apimachinery.pkg.apis.meta.v1.MicroTime']).toEqual({
      type: 'string',
      format: 'date-time',
    });
    expect(schemas['io.orch.apimachinery.pkg.api.resource.Quantity']).toEqual({
      oneOf: [{ type: 'string' }, { type: 'number' }],
    });
    expect(schemas['io.orch.apimachinery.pkg.util.intstr.IntOrString']).toEqual({
      format: 'int-or-string',
      oneOf: [{ type: 'integer' }, { type: 'string' }],
    });
    expect(schemas['io.orch.apimachinery.pkg.apis.meta.v1.FieldsV1']).toEqual({ type: 'object' });
  });
});

describe('published keywords of built-in types', () => {
  const choice: Schema = {
    type: 'object',
    typeName: 'api.example.v1.Choice',
    unions: [{ discriminator: 'type', 'fields-to-discriminateBy': { empty: 'Empty' } }],
    properties: {
      type: { type: 'string', tag: 1, enum: ['Empty', 'Full'], default: 'Empty', hiddenDefault: true },
      weight: { type: 'integer', tag: 2, default: 30, hiddenDefault: true, alwaysPrinted: true },
      protocol: { type: 'string', tag: 3, default: 'TCP' },
      empty: {
        type: 'object',
        typeName: 'api.example.v1.Empty',
        tag: 4,
        optional: true,
        default: {},
        hiddenDefault: true,
        listType: 'atomic',
        properties: {},
      },
      either: { typeName: 'api.example.v1.Either', tag: 5, optional: true, anyOf: [{ type: 'string' }] },
    },
  };
  const schemas = schemasOf({ ...whole, properties: { choice: { ...choice, tag: 7 } } });

  it('are values, unions, and the defaults that are not rules of the server', () => {
    expect(schemas['io.orch.api.example.v1.Choice']).toEqual({
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['Empty', 'Full'] },
        weight: { type: 'integer', default: 0 },
        protocol: { type: 'string', default: 'TCP' },
        empty: { 'x-orch-list-type': 'atomic', allOf: [reference('io.orch.api.example.v1.Empty')] },
        either: { allOf: [reference('io.orch.api.example.v1.Either')] },
      },
      'x-orch-unions': [{ discriminator: 'type', 'fields-to-discriminateBy': { empty: 'Empty' } }],
    });
  });

  it('are without what only encodings need', () => {
    expect(schemas['io.orch.api.example.v1.Empty']).toEqual({ type: 'object' });
    expect(schemas['io.orch.api.example.v1.Either']).toEqual({});
  });
});

describe('schemas of users’ kinds', () => {
  const schema: Schema = {
    type: 'object',
    description: 'A widget.',
    properties: {
      metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 5 } } },
      spec: {
        type: 'object',
        description: 'Wishes.',
        properties: {
          size: { intOrString: true },
          port: { intOrString: true, anyOf: [{ type: 'integer' }, { type: 'string' }], nullable: true },
          template: {
            type: 'object',
            embeddedResource: true,
            preserveUnknownFields: true,
            required: ['kind'],
          },
        },
      },
    },
  };
  const selectableFields = { names: ['spec.size'], valueOf: () => '' };
  const version = { name: 'v2', served: true, storage: true, schema, selectableFields };
  const schemas = schemasOf(schema, { dialect: 'custom', versions: [version] });
  const metadata = {
    description: "Standard object's metadata: what all objects have in common.",
    allOf: [reference('io.orch.apimachinery.pkg.apis.meta.v1.ObjectMeta')],
  };

  it('include what the server adds, also in embedded resources', () => {
    expect(schemas['com.example.v2.Whole']).toMatchObject({
      type: 'object',
      description: 'A widget.',
      properties: {
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata,
        spec: {
          description: 'Wishes.',
          properties: {
            template: {
              required: ['kind', 'apiVersion'],
              properties: { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata },
              'x-orch-embedded-resource': true,
              'x-orch-preserve-unknown-fields': true,
            },
          },
        },
      },
      'x-orch-group-version-kind': [{ group: 'example.com', kind: 'Whole', version: 'v2' }],
      'x-orch-selectable-fields': [{ fieldPath: 'spec.size' }],
    });
  });

  it('describe ints or strings in standard keywords', () => {
    expect(schemas['com.example.v2.Whole']).toMatchObject({
      properties: {
        spec: {
          properties: {
            size: { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-orch-int-or-string': true },
            port: { anyOf: [{ type: 'integer' }, { type: 'string' }], nullable: true },
          },
        },
      },
    });
  });

  it('include lists', () => {
    expect(schemas['com.example.v2.WholeList']).toMatchObject({
      type: 'object',
      required: ['items'],
      properties: { items: { type: 'array', items: reference('com.example.v2.Whole') } },
      'x-orch-group-version-kind': [{ group: 'example.com', kind: 'WholeList', version: 'v2' }],
      'x-orch-selectable-fields': [{ fieldPath: 'spec.size' }],
    });
  });
});
