import { revisedSchema, type VersionDifferences, type WithdrawnFieldChanges } from '@ashlar/apis/withdrawn';
import {
  type ApiObject,
  type FieldError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  runAtOnce,
  type Schema,
  type Vocabulary,
} from '@ashlar/core';
import type { CustomResourceDefinition } from '../definitions/custom-resource-definition.ts';
import { extensionsGroup, inNamesOrder } from '../definitions/definition-resource.ts';
import { definitionSchema } from '../definitions/definition-schema.ts';
import { typeNameOf } from '../definitions/json-schema-props.ts';
import { sharedParts } from '../definitions/shared-version-parts.ts';
import { validateDefinitionSteps } from '../validation/validate-definition.ts';
import { defaultErrors } from './default-errors.ts';
import { preservingSchema } from './preserving-schema.ts';

/** Definitions in version v1beta1: what all versions share may stand at the top, and schemas need not be structural. */
export function oldDefinition(vocabulary: Vocabulary): VersionDifferences {
  const group = extensionsGroup(vocabulary);
  const toCurrent = (object: ApiObject): ApiObject => toCurrentDefinition(object, `${group}/v1`);
  const name = typeNameOf('');
  return {
    schema: revisedSchema(definitionSchema(vocabulary), CHANGES, [name, name.replace('.v1.', '.v1beta1.')]),
    complete,
    toCurrent,
    toCreatable: (object) => toCreatable(object, vocabulary),
    fromCurrent: (object) => fromCurrentDefinition(object, `${group}/v1beta1`),
    createErrors: (object) =>
      createErrors(object, toCurrent(object) as CustomResourceDefinition, vocabulary, group),
  };
}

type Fields = Parameters<WithdrawnFieldChanges[string]>[0];

const withoutTag = ({ tag: _, optional: __, ...schema }: Schema): Schema => schema;

/** The fields of a version that may also stand at the top, with their numbers there. */
function topFields(versions: Schema | undefined): Fields {
  const { schema, subresources, additionalPrinterColumns, selectableFields } = versions?.properties ?? {};
  return {
    version: { type: 'string', description: 'The version, if there is only one.', tag: 2 },
    ...(schema && { validation: { ...withoutTag(schema), tag: 5, optional: true } }),
    ...(subresources && { subresources: { ...withoutTag(subresources), tag: 6, optional: true } }),
    ...(additionalPrinterColumns && {
      additionalPrinterColumns: { ...additionalPrinterColumns, tag: 8 },
    }),
    ...(selectableFields && { selectableFields: { ...selectableFields, tag: 11 } }),
  } as Fields;
}

const CHANGES: WithdrawnFieldChanges = {
  [typeNameOf('CustomResourceDefinitionSpec')]: (fields) => ({
    ...fields,
    ...topFields(fields.versions?.items),
    // absence stands for true
    preserveUnknownFields: { type: 'boolean', optional: true, tag: 10 },
  }),
  [typeNameOf('CustomResourceColumnDefinition')]: ({ jsonPath, ...fields }) => ({
    ...fields,
    ...(jsonPath && { JSONPath: jsonPath }),
  }),
  [typeNameOf('CustomResourceConversion')]: ({ webhook, ...fields }) => {
    const { clientConfig, conversionReviewVersions } = webhook?.properties ?? {};
    return {
      ...fields,
      ...(clientConfig && { webhookClientConfig: { ...clientConfig, tag: 2 } }),
      ...(conversionReviewVersions && {
        conversionReviewVersions: { ...conversionReviewVersions, alwaysPrinted: false, tag: 3 },
      }),
    } as Fields;
  },
};

interface OldSpec {
  readonly version?: string;
  readonly versions?: readonly JsonObject[] | null;
  readonly names?: JsonObject;
  readonly scope?: string;
  readonly conversion?: JsonObject;
  readonly validation?: JsonValue;
  readonly subresources?: JsonValue;
  readonly additionalPrinterColumns?: readonly JsonObject[];
  readonly selectableFields?: readonly JsonObject[];
  readonly preserveUnknownFields?: boolean;
}

interface OldDefinition extends ApiObject {
  readonly spec?: OldSpec;
  readonly status?: JsonObject;
}

const HTTPS_PORT = 443;

function complete(object: ApiObject): ApiObject {
  const { spec = {}, status = {} } = object as OldDefinition;
  const versions = spec.versions?.length
    ? spec.versions
    : spec.version
      ? [{ name: spec.version, served: true, storage: true }]
      : [];
  const version = spec.version || versions[0]?.name;
  const stored = versions.find(({ storage }) => storage)?.name;
  const before = status.storedVersions;
  return {
    ...object,
    spec: {
      ...spec,
      ...(version !== undefined && { version }),
      names: withNames(spec.names ?? {}),
      scope: spec.scope || 'Namespaced',
      versions,
      conversion: withConversion(spec.conversion ?? {}),
      preserveUnknownFields: spec.preserveUnknownFields ?? true,
    },
    status: {
      ...status,
      storedVersions:
        Array.isArray(before) && before.length > 0 ? before : stored === undefined ? null : [stored],
    },
  } as ApiObject;
}

function withNames(names: JsonObject): JsonObject {
  const { kind } = names;
  if (typeof kind !== 'string' || kind === '') return names;
  return inNamesOrder({
    ...names,
    singular: names.singular || kind.toLowerCase(),
    listKind: names.listKind || `${kind}List`,
  });
}

function withConversion(conversion: JsonObject): JsonObject {
  const strategy = conversion.strategy || 'None';
  const { webhookClientConfig: config, conversionReviewVersions: versions } = conversion;
  const hasVersions = Array.isArray(versions) && versions.length > 0;
  return {
    ...conversion,
    strategy,
    ...(isJsonObject(config ?? null) && { webhookClientConfig: withPort(config as JsonObject) }),
    ...(strategy === 'Webhook' && !hasVersions && { conversionReviewVersions: ['v1beta1'] }),
  };
}

function withPort(config: JsonObject): JsonObject {
  const { service } = config;
  if (service === undefined || !isJsonObject(service) || service.port !== undefined) return config;
  return { ...config, service: { ...service, port: HTTPS_PORT } };
}

function toCurrentDefinition(object: ApiObject, apiVersion: string): ApiObject {
  const { spec = {} } = object as OldDefinition;
  const { version: _, versions, conversion, preserveUnknownFields: preserves, ...rest } = spec;
  const { validation, subresources, additionalPrinterColumns, selectableFields, ...others } = rest;
  const shared = { schema: validation, subresources, additionalPrinterColumns, selectableFields };
  const currentVersions = (versions ?? []).map((version) => currentVersion(version, shared));
  return {
    ...object,
    apiVersion,
    spec: {
      ...others,
      versions: currentVersions.length > 0 ? currentVersions : null,
      ...(conversion && { conversion: currentConversion(conversion) }),
      ...(preserves && { preserveUnknownFields: true }),
    },
  } as unknown as ApiObject;
}

/** Definitions that keep unknown fields do so in their schemas, which they need not have had. */
function toCreatable(object: ApiObject, vocabulary: Vocabulary): ApiObject {
  const { preserveUnknownFields, ...spec } = (object as OldDefinition).spec ?? {};
  if (!preserveUnknownFields) return object;
  const versions = (spec.versions ?? []).map(({ schema, subresources, ...version }) => {
    const { additionalPrinterColumns, selectableFields, ...own } = version;
    const { openAPIV3Schema: given = {} } = (schema ?? {}) as { readonly openAPIV3Schema?: JsonObject };
    return {
      ...own,
      schema: { openAPIV3Schema: preservingSchema(given, vocabulary) },
      ...present('subresources', subresources),
      ...present('additionalPrinterColumns', additionalPrinterColumns),
      ...present('selectableFields', selectableFields),
    };
  });
  return { ...object, spec: { ...spec, versions: versions.length > 0 ? versions : null } } as ApiObject;
}

/** A version with what all versions share, in the order in which it is printed. */
function currentVersion(version: JsonObject, shared: JsonObject): JsonObject {
  const { schema, subresources, additionalPrinterColumns, selectableFields, ...own } = version;
  return {
    ...own,
    ...present('schema', schema ?? shared.schema),
    ...present('subresources', subresources ?? shared.subresources),
    ...withColumns((additionalPrinterColumns ?? shared.additionalPrinterColumns) as Columns),
    ...present('selectableFields', selectableFields ?? shared.selectableFields),
  };
}

type Columns = readonly JsonObject[] | undefined;

const present = (name: string, value: JsonValue | undefined): JsonObject =>
  value === undefined ? {} : { [name]: value };

function withColumns(columns: Columns): JsonObject {
  if (!columns) return {};
  return {
    additionalPrinterColumns: columns.map(({ JSONPath, ...column }) => ({
      ...column,
      jsonPath: JSONPath ?? '',
    })),
  };
}

function currentConversion(conversion: JsonObject): JsonObject {
  const { webhookClientConfig, conversionReviewVersions, ...rest } = conversion;
  if (webhookClientConfig === undefined && conversionReviewVersions === undefined) return rest;
  const webhook = {
    ...(webhookClientConfig !== undefined && { clientConfig: webhookClientConfig }),
    conversionReviewVersions: conversionReviewVersions ?? null,
  };
  return { ...rest, webhook };
}

function fromCurrentDefinition(object: ApiObject, apiVersion: string): ApiObject {
  const { spec, ...rest } = object as CustomResourceDefinition;
  const { versions, conversion, preserveUnknownFields = false, ...others } = spec;
  const parts = sharedParts(object as CustomResourceDefinition);
  const { shared } = parts;
  const oldColumns = (columns: readonly { readonly jsonPath: string }[] | undefined): object =>
    columns
      ? {
          additionalPrinterColumns: columns.map(({ jsonPath, ...column }) => ({
            ...column,
            JSONPath: jsonPath,
          })),
        }
      : {};
  return {
    ...rest,
    apiVersion,
    spec: {
      ...others,
      ...(versions?.[0] && { version: versions[0].name }),
      ...(shared.schema && { validation: shared.schema }),
      ...(shared.subresources && { subresources: shared.subresources }),
      ...oldColumns(shared.additionalPrinterColumns),
      ...(shared.selectableFields && { selectableFields: shared.selectableFields }),
      versions: parts.versions.map(({ additionalPrinterColumns, ...version }) => ({
        ...version,
        ...oldColumns(additionalPrinterColumns),
      })),
      ...(conversion && { conversion: oldConversion(conversion as unknown as JsonObject) }),
      preserveUnknownFields,
    },
  } as unknown as ApiObject;
}

function oldConversion({ webhook, ...rest }: JsonObject): JsonObject {
  if (webhook === undefined || !isJsonObject(webhook)) return rest;
  const { clientConfig, conversionReviewVersions } = webhook;
  return {
    ...rest,
    ...(clientConfig !== undefined && { webhookClientConfig: clientConfig }),
    ...(conversionReviewVersions !== undefined && { conversionReviewVersions }),
  };
}

/** Schemas must be structural only if unknown fields are dropped, and have no defaults. Protected groups need no approval. */
function createErrors(
  object: ApiObject,
  current: CustomResourceDefinition,
  vocabulary: Vocabulary,
  group: string,
): readonly FieldError[] {
  const preserves = (object as OldDefinition).spec?.preserveUnknownFields ?? true;
  const served = (current.spec.versions ?? []).map((version) => version.served);
  const errors = runAtOnce(validateDefinitionSteps(current, vocabulary))
    .filter(
      ({ field }) => field !== 'spec.preserveUnknownFields' && !field.startsWith('metadata.annotations['),
    )
    .filter((error) => !preserves || !isStructural(error))
    .filter((error) => !isMissingSchema(error) || served[versionIndex(error)]);
  return [
    ...errors.map((error) => ({
      ...error,
      message: error.message.replace('schemas are required', 'because otherwise all fields are pruned'),
    })),
    ...defaultErrors(current, group),
  ];
}

const isMissingSchema = ({ message }: FieldError): boolean => message.endsWith('schemas are required');

const versionIndex = ({ field }: FieldError): number => Number(/^spec\.versions\[(\d+)\]/.exec(field)?.[1]);

/** What only schemas have to satisfy by which unknown fields are dropped. */
const STRUCTURAL: readonly RegExp[] = [
  / must not be empty (?:at the root|for specified|if)/,
  / to be structural$/,
  / must be object (?:at the root|if)/,
  / must not be used (?:at the root|if)/,
  / must be false if \S+ is true$/,
  / must not be specified in a nested context$/,
  / must not specify anything other than name and generateName/,
];

const isStructural = (error: FieldError): boolean =>
  isMissingSchema(error) ||
  (error.field.includes('.openAPIV3Schema') && STRUCTURAL.some((text) => text.test(error.message)));
