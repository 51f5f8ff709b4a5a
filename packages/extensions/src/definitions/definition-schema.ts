import { kindSchema } from '@ashlar/apis';
import type { Schema, Vocabulary } from '@ashlar/core';
import { jsonSchemaProps, typeNameOf } from './json-schema-props.ts';

type Field = Schema & Required<Pick<Schema, 'tag'>>;

const text = (tag: number, description: string): Field => ({ type: 'string', description, tag });
const printedText = (tag: number, description: string): Field => ({
  ...text(tag, description),
  alwaysPrinted: true,
  default: '',
});
const optionalText = (tag: number, description: string): Field => ({
  ...text(tag, description),
  optional: true,
});
const flag = (tag: number, description: string): Field => ({ type: 'boolean', description, tag });
const texts = (tag: number, description: string): Field =>
  list(tag, description, { type: 'string', default: '' });
const list = (tag: number, description: string, items: Schema): Field => ({
  type: 'array',
  items,
  description,
  listType: 'atomic',
  tag,
});
const struct = (tag: number, description: string, type: Schema): Field => ({ ...type, description, tag });
const optional = (field: Field): Field => ({ ...field, optional: true });
/** A text of a type with a name, by which errors call it. */
const named = (field: Field, name: string): Field => ({ ...field, typeName: typeNameOf(name) });
const printed = (field: Field): Field => ({ ...field, alwaysPrinted: true });

const type = (
  name: string,
  properties: Readonly<Record<string, Field>>,
  required: readonly string[] = [],
): Schema => ({
  type: 'object',
  typeName: typeNameOf(name),
  properties,
  ...(required.length > 0 && { required }),
});

const names = type(
  'CustomResourceDefinitionNames',
  {
    plural: printedText(1, 'Name in paths, in lower case.'),
    singular: text(2, 'Name of one object, in lower case.'),
    shortNames: texts(3, 'Short names for the command line.'),
    kind: printedText(4, 'Kind of one object.'),
    listKind: text(5, 'Kind of a list of them.'),
    categories: texts(6, 'Groups of types that clients ask for together.'),
  },
  ['plural', 'kind'],
);

const serviceReference = type(
  'ServiceReference',
  {
    namespace: printedText(1, 'Namespace of the service.'),
    name: printedText(2, 'Name of the service.'),
    path: optionalText(3, 'Path of the requests.'),
    port: optional({
      type: 'integer',
      format: 'int32',
      description: 'Port of the service; 443 by default.',
      tag: 4,
    }),
  },
  ['namespace', 'name'],
);

const conversion = type(
  'CustomResourceConversion',
  {
    strategy: named(printedText(1, 'None or Webhook.'), 'ConversionStrategyType'),
    webhook: optional(
      struct(
        2,
        'How to call the webhook.',
        type(
          'WebhookConversion',
          {
            clientConfig: optional(
              struct(
                2,
                'Where the webhook is.',
                type('WebhookClientConfig', {
                  url: optionalText(3, 'Address of the webhook.'),
                  service: optional(struct(1, 'A service that is the webhook.', serviceReference)),
                  caBundle: { type: 'string', format: 'byte', description: 'Certificates in PEM.', tag: 2 },
                }),
              ),
            ),
            conversionReviewVersions: printed(
              texts(3, 'Versions of the review that the webhook understands.'),
            ),
          },
          ['conversionReviewVersions'],
        ),
      ),
    ),
  },
  ['strategy'],
);

const subresources = type('CustomResourceSubresources', {
  status: optional(
    struct(1, 'The status is written on its own.', {
      type: 'object',
      typeName: typeNameOf('CustomResourceSubresourceStatus'),
      properties: {},
    }),
  ),
  scale: optional(
    struct(
      2,
      'Objects can be scaled.',
      type(
        'CustomResourceSubresourceScale',
        {
          specReplicasPath: printedText(1, 'Where the wanted number stands.'),
          statusReplicasPath: printedText(2, 'Where the present number stands.'),
          labelSelectorPath: optionalText(3, 'Where the selector stands.'),
        },
        ['specReplicasPath', 'statusReplicasPath'],
      ),
    ),
  ),
});

const column = type(
  'CustomResourceColumnDefinition',
  {
    name: printedText(1, 'Heading.'),
    type: printedText(2, 'Type of the cells.'),
    format: text(3, 'Format of the cells.'),
    description: text(4, 'What the cells tell.'),
    priority: { type: 'integer', format: 'int32', description: 'Above 0: only in wide tables.', tag: 5 },
    jsonPath: printedText(6, 'Where in an object the value of the cell stands.'),
  },
  ['name', 'type', 'jsonPath'],
);

const selectableField = type('SelectableField', { jsonPath: printedText(1, 'Where the field stands.') }, [
  'jsonPath',
]);

const version = (schema: Schema): Schema =>
  type(
    'CustomResourceDefinitionVersion',
    {
      name: printedText(1, 'Name of the version.'),
      served: printed({ ...flag(2, 'Whether the version is served.'), default: false }),
      storage: printed({ ...flag(3, 'Whether objects are stored in the version.'), default: false }),
      deprecated: flag(7, 'Whether callers are warned.'),
      deprecationWarning: optionalText(8, 'The warning for callers.'),
      schema: optional(
        struct(
          4,
          'What objects look like.',
          type('CustomResourceValidation', {
            openAPIV3Schema: optional(struct(1, 'A structural schema.', schema)),
          }),
        ),
      ),
      subresources: optional(struct(5, 'What can be written on its own.', subresources)),
      additionalPrinterColumns: list(6, 'Columns of tables.', column),
      selectableFields: list(9, 'Fields that selectors may name.', selectableField),
    },
    ['name', 'served', 'storage'],
  );

const condition = type(
  'CustomResourceDefinitionCondition',
  {
    type: named(printedText(1, 'What the condition is about.'), 'CustomResourceDefinitionConditionType'),
    status: named(printedText(2, 'True, False or Unknown.'), 'ConditionStatus'),
    lastTransitionTime: {
      type: 'string',
      format: 'date-time',
      typeName: 'apimachinery.pkg.apis.meta.v1.Time',
      description: 'When the status last changed.',
      alwaysPrinted: true,
      tag: 3,
    },
    reason: text(4, 'The cause in one word.'),
    message: text(5, 'The cause for people.'),
  },
  ['type', 'status'],
);

const spec = (schema: Schema): Schema =>
  type(
    'CustomResourceDefinitionSpec',
    {
      group: printedText(1, 'Group of the type.'),
      names: struct(3, 'Names of the type.', names),
      scope: named(printedText(4, 'Cluster or Namespaced.'), 'ResourceScope'),
      versions: printed(list(7, 'Versions of the type.', version(schema))),
      conversion: optional(struct(9, 'How objects get from one version to another.', conversion)),
      preserveUnknownFields: flag(10, 'Of old definitions only: unknown fields are stored.'),
    },
    ['group', 'names', 'scope', 'versions'],
  );

const status = type('CustomResourceDefinitionStatus', {
  conditions: printed({
    ...list(1, 'How far the type is served.', condition),
    listType: 'map',
    listMapKeys: ['type'],
  }),
  acceptedNames: struct(2, 'Names that are its own.', names),
  storedVersions: printed(texts(3, 'Versions that objects were ever stored in.')),
});

/** The schema of definitions (semantics/lifecycle#definitions). */
export function definitionSchema(vocabulary: Vocabulary): Schema {
  return kindSchema(
    typeNameOf('CustomResourceDefinition'),
    'A resource type: objects of it are served once its names are accepted.',
    {
      spec: struct(2, 'What is to be served.', spec(jsonSchemaProps(vocabulary))),
      status: struct(3, 'What has become of it.', status),
    },
    { required: ['spec'] },
  );
}
