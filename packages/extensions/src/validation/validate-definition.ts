import { readCertificates, WEBHOOK_REVIEW_VERSIONS } from '@ashlar/admission';
import {
  dns1035LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  FieldErrors,
  fieldErrorsOf,
  isJsonObject,
  type JsonValue,
  jsonEqual,
  PrintedValue,
  requiredChoiceErrors,
  type Steps,
  type Vocabulary,
} from '@ashlar/core';
import { type DefinitionAllowance, newAllowance } from '@ashlar/validation';
import { approvalErrors } from '../definitions/api-approval.ts';
import { isTrue } from '../definitions/conditions.ts';
import {
  type CustomResourceDefinition,
  type DefinitionSpec,
  type DefinitionVersion,
  versionsOf,
} from '../definitions/custom-resource-definition.ts';
import { type SharedParts, sharedPartsSteps } from '../definitions/shared-version-parts.ts';
import { type ConversionTolerance, conversionErrorsSteps } from './validate-conversion.ts';
import { missingNames, namesErrors } from './validate-names.ts';
import { deprecationErrors, schemaErrorsSteps, selectionErrors, viewErrors } from './validate-version.ts';
import { tooManyStoredVersions, tooManyVersions } from './version-counts.ts';

/** Validates a new definition (semantics/lifecycle#definitions). */
export function* validateDefinitionSteps(
  definition: CustomResourceDefinition,
  vocabulary: Vocabulary,
): Steps<readonly FieldError[]> {
  const tooMany = tooManyVersions(definition, undefined);
  if (tooMany.length > 0) return tooMany;
  const broken = yield* specErrorsSteps(definition, undefined, vocabulary);
  return [
    ...nameErrors(definition),
    ...broken,
    ...namesErrors(definition.status.acceptedNames, 'status.acceptedNames'),
    ...storedVersionErrors(definition),
    ...approvalErrors(definition, undefined, vocabulary),
    ...preservationErrors(definition, undefined, vocabulary),
  ];
}

/** Validates the update of a definition: errors that the stored definition already has are ignored. */
export function* validateDefinitionUpdateSteps(
  definition: CustomResourceDefinition,
  stored: CustomResourceDefinition,
  vocabulary: Vocabulary,
): Steps<readonly FieldError[]> {
  const tooMany = tooManyVersions(definition, stored);
  if (tooMany.length > 0) return tooMany;
  const broken = yield* specErrorsSteps(definition, stored, vocabulary);
  return [
    ...broken,
    ...immutableErrors(definition, stored),
    ...namesErrors(definition.status.acceptedNames, 'status.acceptedNames', stored.status.acceptedNames),
    ...storedVersionErrors(definition),
    ...approvalErrors(definition, stored, vocabulary),
    ...preservationErrors(definition, stored, vocabulary),
  ];
}

/** Validates a status: of the names, no more than fit or than were requested. */
export function validateDefinitionStatus(
  definition: CustomResourceDefinition,
  stored: CustomResourceDefinition,
): readonly FieldError[] {
  return [
    ...namesErrors(definition.status.acceptedNames, 'status.acceptedNames', stored.spec.names),
    ...tooManyStoredVersions(definition, stored),
  ];
}

function nameErrors({ metadata, spec }: CustomResourceDefinition): readonly FieldError[] {
  const expectedName = `${spec.names.plural}.${spec.group}`;
  return (['generateName', 'name'] as const).flatMap((field) => {
    const name = metadata[field] ?? '';
    if (name === '' || name === expectedName) return [];
    return [FieldErrors.invalid(`metadata.${field}`, name, 'must be spec.names.plural+"."+spec.group')];
  });
}

function* specErrorsSteps(
  definition: CustomResourceDefinition,
  stored: CustomResourceDefinition | undefined,
  vocabulary: Vocabulary,
): Steps<readonly FieldError[]> {
  const { spec } = definition;
  const parts = yield* sharedPartsSteps(definition);
  const context = {
    definition,
    stored,
    storedSchemas: schemasOf(stored),
    storedByName: schemasByName(stored),
    ownSubresources: parts.versions.some(({ subresources }) => subresources),
    allowance: newAllowance(),
    vocabulary,
    parts,
  };
  yield;
  const ofVersions: FieldError[] = [];
  for (const [index, version] of parts.versions.entries()) {
    ofVersions.push(...(yield* versionErrorsSteps(context, version, index)));
    yield;
  }
  const ofShared = yield* sharedErrorsSteps(context);
  return [
    ...groupErrors(spec.group),
    ...requiredChoiceErrors('spec.scope', spec.scope, SCOPES),
    ...missingSchemas(context),
    ...preservedDefaults(definition, vocabulary),
    ...ofVersions,
    ...versionListErrors(definition),
    ...missingNames(spec.names, 'spec.names'),
    ...namesErrors(spec.names, 'spec.names', stored?.spec.names),
    ...ofShared,
    ...(yield* conversionSpecErrorsSteps(spec, stored)),
  ];
}

interface ValidationContext {
  readonly definition: CustomResourceDefinition;
  readonly stored: CustomResourceDefinition | undefined;
  readonly storedSchemas: readonly JsonValue[];
  /** Schemas of the stored definition by the names of their versions. */
  readonly storedByName: ReadonlyMap<string, JsonValue>;
  /** Whether versions have subresources of their own. */
  readonly ownSubresources: boolean;
  readonly allowance: DefinitionAllowance;
  readonly vocabulary: Vocabulary;
  readonly parts: SharedParts;
}

function groupErrors(group: string): readonly FieldError[] {
  if (group === '') return [FieldErrors.required('spec.group')];
  const errors = dns1123SubdomainErrors(group);
  if (errors.length > 0) return [FieldErrors.invalid('spec.group', group, errors.join(','))];
  return group.includes('.')
    ? []
    : [FieldErrors.invalid('spec.group', group, 'should be a domain with at least one dot')];
}

const SCOPES = ['Cluster', 'Namespaced'];

const hasSchema = ({ schema }: Pick<DefinitionVersion, 'schema'>): boolean =>
  schema?.openAPIV3Schema !== undefined;

const withoutSchema = ({ schema: _, ...others }: DefinitionVersion): Omit<DefinitionVersion, 'schema'> =>
  others;

/** Every version has a schema, unless the stored definition has one without. */
function missingSchemas({ definition, stored, parts }: ValidationContext): readonly FieldError[] {
  if (hasSchema(parts.shared)) return [];
  const strict = !stored || versionsOf(stored).every(hasSchema);
  if (!strict && definition.spec.preserveUnknownFields) return [];
  const why = strict ? 'schemas are required' : 'because otherwise all fields are pruned';
  return versionsOf(definition).flatMap((version, index) =>
    hasSchema(version) || (!strict && !version.served)
      ? []
      : [FieldErrors.required(`spec.versions[${index}].schema.openAPIV3Schema`, why)],
  );
}

function preservedDefaults(
  { spec }: CustomResourceDefinition,
  vocabulary: Vocabulary,
): readonly FieldError[] {
  if (!spec.preserveUnknownFields) return [];
  const any = (spec.versions ?? []).some(({ schema }) =>
    mentionsDefault(schema?.openAPIV3Schema, vocabulary),
  );
  const text = 'must be false in order to use defaults in the schema';
  return any ? [FieldErrors.invalid('spec.preserveUnknownFields', true, text)] : [];
}

/** Whether a schema has a default. */
function mentionsDefault(schema: JsonValue | undefined, vocabulary: Vocabulary): boolean {
  if (Array.isArray(schema)) return schema.some((part) => mentionsDefault(part, vocabulary));
  if (schema === undefined || !isJsonObject(schema)) return false;
  if (schema.default !== undefined) return true;
  const { properties, items, additionalProperties, allOf, anyOf, oneOf, not } = schema;
  return [items, additionalProperties, allOf, anyOf, oneOf, not, ...Object.values(properties ?? {})].some(
    (part) => mentionsDefault(part as JsonValue | undefined, vocabulary),
  );
}

function* versionErrorsSteps(
  context: ValidationContext,
  version: DefinitionVersion,
  index: number,
): Steps<readonly FieldError[]> {
  const path = `spec.versions[${index}]`;
  const { vocabulary, parts, definition } = context;
  const named = dns1035LabelErrors(version.name);
  const { subresources } = context.ownSubresources ? version : parts.shared;
  const missing = 'selectableFields may only be set when version.schema.openAPIV3Schema is not included';
  return [
    ...(named.length > 0 ? [FieldErrors.invalid(`${path}.name`, version.name, named.join(','))] : []),
    ...deprecationErrors(version, path),
    ...(version.schema
      ? yield* schemaErrorsSteps(version.schema, `${path}.schema`, {
          vocabulary,
          allowance: context.allowance,
          statusSubresource: subresources?.status !== undefined,
          ...storedSchemas(context, versionsOf(definition)[index]?.name),
        })
      : []),
    ...viewErrors(version, path),
    ...selectionErrors(hasSchema(version) ? version : withoutSchema(version), path, missing, vocabulary),
  ];
}

function schemasOf(stored: CustomResourceDefinition | undefined): readonly JsonValue[] {
  const versions = stored ? versionsOf(stored) : [];
  return versions.flatMap(({ schema }) => (schema?.openAPIV3Schema as JsonValue | undefined) ?? []);
}

function schemasByName(stored: CustomResourceDefinition | undefined): ReadonlyMap<string, JsonValue> {
  const schemas = new Map<string, JsonValue>();
  for (const { name, schema } of stored ? versionsOf(stored) : [])
    if (schema?.openAPIV3Schema !== undefined) schemas.set(name, schema.openAPIV3Schema as JsonValue);
  return schemas;
}

/** Returns the facts about schemas of the stored definition; none for a new definition. */
function storedSchemas(
  { stored, storedSchemas: all, storedByName }: ValidationContext,
  name: string | undefined,
): { storedSchemas?: readonly JsonValue[]; storedSchema?: JsonValue } {
  if (!stored) return {};
  const storedSchema = name === undefined ? undefined : storedByName.get(name);
  return { storedSchemas: all, ...(storedSchema !== undefined && { storedSchema }) };
}

/** Validates the list of versions: names, and exactly one storage version. */
function versionListErrors(definition: CustomResourceDefinition): readonly FieldError[] {
  const versions = versionsOf(definition);
  const names = versions.map(({ name }) => name);
  const first = names[0] ?? '';
  const errors: FieldError[] = [];
  const wrong = (why: string): void =>
    void errors.push(FieldErrors.invalid('spec.versions', versions as unknown as JsonValue, why));
  if (new Set(names).size < names.length) wrong('must contain unique version names');
  if (versions.filter(({ storage }) => storage).length !== 1)
    wrong('must have exactly one version marked as storage version');
  const named = first === '' ? [] : dns1035LabelErrors(first);
  if (named.length > 0) errors.push(FieldErrors.invalid('spec.version', first, named.join(',')));
  return errors;
}

/** Errors of shared parts are reported once. */
function* sharedErrorsSteps(context: ValidationContext): Steps<readonly FieldError[]> {
  const { vocabulary, definition } = context;
  const { shared } = context.parts;
  const missing = 'selectableFields may only be set when validations.schema is included';
  return [
    ...(shared.schema
      ? yield* schemaErrorsSteps(shared.schema, 'spec.validation', {
          vocabulary,
          allowance: context.allowance,
          statusSubresource: versionsOf(definition).some(({ subresources }) => subresources?.status),
          ...storedSchemas(context, versionsOf(definition)[0]?.name),
        })
      : []),
    ...viewErrors(shared, 'spec'),
    ...selectionErrors(shared, 'spec', missing, vocabulary),
  ];
}

function* conversionSpecErrorsSteps(
  { conversion, preserveUnknownFields }: DefinitionSpec,
  stored: CustomResourceDefinition | undefined,
): Steps<readonly FieldError[]> {
  if (!conversion) return [];
  const path = 'spec.conversion';
  const text = 'must be None if spec.preserveUnknownFields is true';
  return [
    ...(conversion.strategy !== 'None' && preserveUnknownFields
      ? [FieldErrors.invalid(`${path}.strategy`, conversion.strategy, text)]
      : []),
    ...(yield* conversionErrorsSteps(conversion, path, toleranceOf(stored))),
  ];
}

function toleranceOf(stored: CustomResourceDefinition | undefined): ConversionTolerance {
  if (!stored) return { unknownReviewVersions: false, brokenCertificates: true };
  const { conversionReviewVersions, clientConfig } = stored.spec.conversion?.webhook ?? {};
  const versions = conversionReviewVersions ?? [];
  const bundle = clientConfig?.caBundle ?? '';
  return {
    unknownReviewVersions:
      versions.length > 0 && !versions.some((version) => WEBHOOK_REVIEW_VERSIONS.includes(version)),
    brokenCertificates:
      !isTrue(stored, 'Established') || (bundle !== '' && readCertificates(bundle) === undefined),
  };
}

/** The names and scope of established definitions are immutable. */
function immutableErrors(
  definition: CustomResourceDefinition,
  stored: CustomResourceDefinition,
): readonly FieldError[] {
  const { spec } = definition;
  const same = (field: string, value: string, old: string): readonly FieldError[] =>
    value === old ? [] : [FieldErrors.invalid(field, value, 'field is immutable')];
  const established = isTrue(stored, 'Established');
  return [
    ...(established ? same('spec.scope', spec.scope, stored.spec.scope) : []),
    ...(established ? same('spec.names.kind', spec.names.kind, stored.spec.names.kind) : []),
    ...same('spec.group', spec.group, stored.spec.group),
    ...same('spec.names.plural', spec.names.plural, stored.spec.names.plural),
  ];
}

const NO_TEXTS = new PrintedValue('[]string(nil)');

function storedVersionErrors(definition: CustomResourceDefinition): readonly FieldError[] {
  const path = 'status.storedVersions';
  const stored = definition.status.storedVersions ?? [];
  if (stored.length === 0)
    return [FieldErrors.invalid(path, NO_TEXTS, 'must have at least one stored version')];
  const versions = versionsOf(definition);
  const left = new Set(stored);
  const known = new Set(versions.map(({ name }) => name));
  return [
    // a stored version answers for the first version of its name only
    ...versions.flatMap(({ name, storage }) => {
      const isStored = left.delete(name);
      return storage && !isStored
        ? [FieldErrors.invalid(path, stored, `must have the storage version ${name}`)]
        : [];
    }),
    ...fieldErrorsOf(stored, (name, index) =>
      known.has(name) ? [] : [FieldErrors.invalid(`${path}[${index}]`, name, 'must appear in spec.versions')],
    ),
  ];
}

function preservationErrors(
  { spec }: CustomResourceDefinition,
  stored: CustomResourceDefinition | undefined,
  { extensionPrefix }: Vocabulary,
): readonly FieldError[] {
  if (!spec.preserveUnknownFields || stored?.spec.preserveUnknownFields) return [];
  const text = `cannot set to true, set ${extensionPrefix}preserve-unknown-fields to true in spec.versions[*].schema instead`;
  return [FieldErrors.invalid('spec.preserveUnknownFields', true, text)];
}

/** Whether two definitions have the same spec. */
export const sameSpec = (a: CustomResourceDefinition, b: CustomResourceDefinition): boolean =>
  jsonEqual(a.spec as unknown as JsonValue, b.spec as unknown as JsonValue);
