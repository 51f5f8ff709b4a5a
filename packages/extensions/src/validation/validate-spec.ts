import {
  dns1035LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  FieldErrors,
  type JsonValue,
  requiredChoiceErrors,
  type Steps,
  type Vocabulary,
} from '@ashlar/core';
import { type DefinitionAllowance, newAllowance } from '@ashlar/validation';
import {
  type CustomResourceDefinition,
  type DefinitionVersion,
  versionsOf,
} from '../definitions/custom-resource-definition.ts';
import { type SharedParts, sharedPartsSteps } from '../definitions/shared-version-parts.ts';
import { preservedDefaults } from './preserved-fields.ts';
import { conversionSpecErrorsSteps } from './validate-conversion.ts';
import { missingNames, namesErrors } from './validate-names.ts';
import { deprecationErrors, schemaErrorsSteps, selectionErrors, viewErrors } from './validate-version.ts';

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

/** Validates the spec of a definition: its group, names and scope, its versions, and its conversion. */
export function* specErrorsSteps(
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
    ...preservedDefaults(definition),
    ...ofVersions,
    ...versionListErrors(definition),
    ...missingNames(spec.names, 'spec.names'),
    ...namesErrors(spec.names, 'spec.names', stored?.spec.names),
    ...ofShared,
    ...(yield* conversionSpecErrorsSteps(spec, stored)),
  ];
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
