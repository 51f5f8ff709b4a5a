import { kindSchema } from '@ashlar/apis';
import type { Schema, Vocabulary } from '@ashlar/core';

/** The published names of this group's types; its package is the vendor's. */
const typeNameOf = ({ namespacePrefix }: Vocabulary, name: string): string =>
  `${namespacePrefix}-aggregator.pkg.apis.apiregistration.v1.${name}`;

type Field = Schema & Required<Pick<Schema, 'tag'>>;
const text = (tag: number, description: string): Field => ({ type: 'string', description, tag });
const number = (tag: number, description: string): Field => ({
  type: 'integer',
  format: 'int32',
  description,
  tag,
});
const printed = (field: Field): Field => ({
  ...field,
  alwaysPrinted: true,
  ...(field.type === 'string' && { default: '' }),
});

/** The service of another server. */
const serviceReference = (vocabulary: Vocabulary): Schema => ({
  type: 'object',
  typeName: typeNameOf(vocabulary, 'ServiceReference'),
  properties: {
    namespace: text(1, 'Namespace of the service.'),
    name: text(2, 'Name of the service.'),
    port: { ...number(3, 'Port of the service, 443 unless said.'), optional: true },
  },
});

/** The spec of an API service. */
const spec = (vocabulary: Vocabulary): Schema => ({
  type: 'object',
  typeName: typeNameOf(vocabulary, 'APIServiceSpec'),
  required: ['groupPriorityMinimum', 'versionPriority'],
  properties: {
    service: {
      ...serviceReference(vocabulary),
      tag: 1,
      optional: true,
      description: 'Another server; none for this one.',
    },
    group: text(2, 'The group that is served.'),
    version: text(3, 'The version that is served.'),
    insecureSkipTLSVerify: {
      type: 'boolean',
      tag: 4,
      description: 'Trusts any certificate of the server.',
    },
    caBundle: {
      type: 'string',
      format: 'byte',
      tag: 5,
      listType: 'atomic',
      description: 'Certificates in PEM that the server’s is checked against.',
    },
    groupPriorityMinimum: printed(
      number(7, 'Priority of the group, the greatest of its versions’; at most 20000.'),
    ),
    versionPriority: printed(number(8, 'Priority of the version within the group; at most 1000.')),
  },
});

/** One condition. */
const condition = (vocabulary: Vocabulary): Schema => ({
  type: 'object',
  typeName: typeNameOf(vocabulary, 'APIServiceCondition'),
  required: ['type', 'status'],
  properties: {
    type: printed({
      ...text(1, 'What the condition is about.'),
      typeName: typeNameOf(vocabulary, 'APIServiceConditionType'),
    }),
    status: printed({
      ...text(2, 'True, False or Unknown.'),
      typeName: typeNameOf(vocabulary, 'ConditionStatus'),
    }),
    lastTransitionTime: {
      type: 'string',
      format: 'date-time',
      typeName: 'apimachinery.pkg.apis.meta.v1.Time',
      tag: 3,
      description: 'When the status last changed.',
      alwaysPrinted: true,
    },
    reason: text(4, 'Why, for programs.'),
    message: text(5, 'Why, for people.'),
  },
});

/** The status of an API service. */
const status = (vocabulary: Vocabulary): Schema => ({
  type: 'object',
  typeName: typeNameOf(vocabulary, 'APIServiceStatus'),
  properties: {
    conditions: {
      type: 'array',
      items: condition(vocabulary),
      tag: 1,
      listType: 'map',
      listMapKeys: ['type'],
      patchStrategy: 'merge',
      patchMergeKey: 'type',
      description: 'What has been found out.',
    },
  },
});

/** Schema of API services: fields and Protobuf numbers as published (semantics/discovery#aggregation, semantics/encodings#protobuf). */
export function apiServiceSchema(vocabulary: Vocabulary): Schema {
  return kindSchema(typeNameOf(vocabulary, 'APIService'), 'Who serves a version of a group.', {
    spec: { ...spec(vocabulary), tag: 2, description: 'What is served by whom.' },
    status: { ...status(vocabulary), tag: 3, description: 'Whether it is available.' },
  });
}
