import type { JsonObject, Schema } from '@ashlar/core';
import type { QuestionedType } from './object-questions.ts';

const GROUP = 'codecs.example.com';

const properties = {
  text: { type: 'string' },
  number: { type: 'number' },
  integer: { type: 'integer', format: 'int64' },
  bytes: { type: 'string', format: 'byte' },
  time: { type: 'string', format: 'date-time' },
  flag: { type: 'boolean' },
  defaulted: { type: 'number', default: 1.5 },
  list: { type: 'array', items: { type: 'number' } },
  map: { type: 'object', additionalProperties: { type: 'string' } },
  inner: { type: 'object', properties: { a: { type: 'string' }, n: { type: 'integer' } } },
} as const;

const specification = {
  type: 'object',
  properties: {
    ...properties,
    port: { 'x-kubernetes-int-or-string': true },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
};

/** A definition whose objects have members of all kinds of schemas. */
export const questionedDefinition: JsonObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `boxes.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural: 'boxes', singular: 'box', kind: 'Box', listKind: 'BoxList' },
    versions: [
      {
        ...{ name: 'v1', served: true, storage: true },
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: specification } } },
        additionalPrinterColumns: [
          { name: 'Number', type: 'number', jsonPath: '.spec.number' },
          { name: 'Time', type: 'date', jsonPath: '.spec.time' },
        ],
      },
    ],
  },
};

/** The type of that definition. */
export const customType: QuestionedType = {
  collection: {
    ...{ root: `/apis/${GROUP}/v1`, plural: 'boxes', apiVersion: `${GROUP}/v1`, kind: 'Box' },
    ...{ namespaced: true, creatable: true, custom: true },
  },
  schema: {
    type: 'object',
    properties: {
      metadata: { type: 'object', properties: { labels: { type: 'object' } } },
      spec: {
        type: 'object',
        properties: {
          ...(properties as unknown as Readonly<Record<string, Schema>>),
          port: { intOrString: true },
          free: { type: 'object', additionalProperties: { type: 'number' } },
        },
      },
    },
  },
  template: {
    apiVersion: `${GROUP}/v1`,
    kind: 'Box',
    metadata: { name: 'a' },
    spec: {
      ...{ text: 'a', number: 1, integer: 2, bytes: 'aGk=', time: '2024-01-02T03:04:05Z', flag: true },
      ...{ list: [1, 2.5], map: { a: 'b' }, inner: { a: 'b', n: 3 }, port: 80, free: { x: { y: [1, 'z'] } } },
    },
  },
};
