import { type FieldError, FieldErrors, type Steps, type Vocabulary } from '@ashlar/core';
import { approvalErrors } from '../definitions/api-approval.ts';
import { isTrue } from '../definitions/conditions.ts';
import type { CustomResourceDefinition } from '../definitions/custom-resource-definition.ts';
import { preservationErrors } from './preserved-fields.ts';
import { storedVersionErrors } from './stored-versions.ts';
import { namesErrors } from './validate-names.ts';
import { specErrorsSteps } from './validate-spec.ts';
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
