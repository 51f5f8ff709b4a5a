import {
  type ApiObject,
  type JsonValue,
  partialObjectMetadataSchema,
  type Schema,
  validateDnsSubdomain,
} from '@ashlar/core';
import type { ColumnDefinition, ResourceDefinition } from '@ashlar/registry';
import { withCanonicalMetadata } from '@ashlar/registry';

const nameColumn: ColumnDefinition = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Its name.',
  cell: ({ metadata }): JsonValue => metadata.name ?? '',
};

interface Note extends ApiObject {
  readonly text?: string;
  readonly status?: { readonly read?: boolean };
}

const noteSchema: Schema = {
  type: 'object',
  typeName: 'api.core.v1.Note',
  description: 'A text.',
  properties: {
    ...partialObjectMetadataSchema.properties,
    text: { type: 'string', tag: 2, description: 'What it says.' },
    tags: { type: 'object', additionalProperties: { type: 'string' }, tag: 3 },
    status: { type: 'object', tag: 4, optional: true, properties: { read: { type: 'boolean', tag: 1 } } },
  },
};

/** A namespaced type like the built-in ones, with a status. */
export const notes: ResourceDefinition = {
  group: '',
  names: {
    plural: 'notes',
    singular: 'note',
    kind: 'Note',
    listKind: 'NoteList',
    shortNames: ['no'],
    categories: ['all'],
  },
  scope: 'Namespaced',
  dialect: 'built-in',
  versions: [
    {
      name: 'v1',
      served: true,
      storage: true,
      schema: noteSchema,
      columns: [
        nameColumn,
        {
          name: 'Text',
          type: 'string',
          priority: 1,
          cell: (object): JsonValue => (object as Note).text ?? null,
        },
      ],
      subresources: [
        {
          name: 'status',
          verbs: ['get', 'patch', 'update'],
          prepareForUpdate: (submitted, stored) =>
            ({ ...stored, status: (submitted as Note).status }) as unknown as ApiObject,
        },
      ],
    },
  ],
  strategy: {
    validateName: validateDnsSubdomain,
    allowsUnconditionalUpdate: true,
    allowsCreateOnUpdate: true,
  },
};

/** A cluster-scoped type whose names are the namespaces of its requests. */
export const namespaces: ResourceDefinition = {
  group: '',
  names: { plural: 'namespaces', singular: 'namespace', kind: 'Namespace', listKind: 'NamespaceList' },
  scope: 'Cluster',
  dialect: 'built-in',
  withoutVerbs: ['deletecollection'],
  versions: [
    {
      name: 'v1',
      served: true,
      storage: true,
      schema: {
        type: 'object',
        typeName: 'api.core.v1.Namespace',
        properties: partialObjectMetadataSchema.properties ?? {},
      },
    },
  ],
  strategy: {
    validateName: validateDnsSubdomain,
    allowsUnconditionalUpdate: true,
    returnsDeletedObject: true,
  },
};

const widgetSchema: Schema = {
  type: 'object',
  properties: {
    kind: { type: 'string' },
    apiVersion: { type: 'string' },
    metadata: { type: 'object' },
    spec: {
      type: 'object',
      properties: { size: { type: 'integer', default: 1 }, color: { type: 'string' } },
    },
  },
};

/** A type like the custom ones. */
export const widgets: ResourceDefinition = {
  group: 'example.com',
  names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
  scope: 'Namespaced',
  dialect: 'custom',
  versions: [
    {
      name: 'v1',
      served: true,
      storage: true,
      schema: widgetSchema,
      columns: [nameColumn],
      selectableFields: {
        names: ['spec.color'],
        valueOf: (object) => (object as ApiObject & { spec?: { color?: string } }).spec?.color ?? '',
      },
    },
  ],
  strategy: {
    validateName: validateDnsSubdomain,
    prepareForCreate: (object) => withCanonicalMetadata(object, { generation: 1 }),
  },
};

/** A type that is not stored: created by POST only. */
export const reviews: ResourceDefinition = {
  group: 'example.com',
  names: { plural: 'reviews', singular: 'review', kind: 'Review', listKind: 'ReviewList' },
  scope: 'Cluster',
  dialect: 'built-in',
  versions: [{ name: 'v1', served: true, storage: true, schema: noteSchema }],
  strategy: { validateName: () => [] },
  storage: { create: (_context, object) => ({ ...object, verdict: 'good' }) as ApiObject },
};
