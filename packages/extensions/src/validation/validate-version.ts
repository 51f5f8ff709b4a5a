import {
  type FieldError,
  FieldErrors,
  fieldErrorsOf,
  isJsonObject,
  isPrintable,
  type JsonValue,
  type Schema,
  type Steps,
  utf8Length,
  type Vocabulary,
} from '@ashlar/core';
import { fromOpenApi } from '@ashlar/schema';
import { checkDefinitionSchemaSteps, type DefinitionAllowance } from '@ashlar/validation';
import type { DefinitionVersion } from '../definitions/custom-resource-definition.ts';
import { unsupportedKeyword } from './unsupported-keyword.ts';
import { selectableFieldsErrors } from './validate-selectable-fields.ts';
import { columnErrors, subresourcesErrors } from './validate-subresources.ts';

/** Parts of a version that several versions can share. */
export type VersionParts = Pick<
  DefinitionVersion,
  'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields'
>;

/** Options of the validation of a schema. */
export interface SchemaJudgement {
  readonly vocabulary: Vocabulary;
  readonly statusSubresource: boolean;
  /** What all schemas of the definition share. */
  readonly allowance: DefinitionAllowance;
  /** Schemas of the stored definition, whose errors are accepted. */
  readonly storedSchemas?: readonly JsonValue[];
  /** The stored schema of the same version. */
  readonly storedSchema?: JsonValue | undefined;
}

/** Errors of a schema, found with pauses; `path` is that of its parent. */
export function* schemaErrorsSteps(
  { openAPIV3Schema }: NonNullable<DefinitionVersion['schema']>,
  path: string,
  { vocabulary, statusSubresource, allowance, storedSchemas, storedSchema }: SchemaJudgement,
): Steps<readonly FieldError[]> {
  if (openAPIV3Schema === undefined) return [];
  return yield* checkDefinitionSchemaSteps(openAPIV3Schema, {
    vocabulary,
    path: `${path}.openAPIV3Schema`,
    statusSubresource,
    allowance,
    ...(storedSchemas && { storedSchemas }),
    ...(storedSchema !== undefined && { storedSchema }),
  });
}

/** Errors of subresources and columns. */
export function viewErrors(
  { subresources, additionalPrinterColumns = [] }: VersionParts,
  path: string,
): readonly FieldError[] {
  return [
    ...(subresources ? subresourcesErrors(subresources, `${path}.subresources`) : []),
    ...fieldErrorsOf(additionalPrinterColumns, (column, index) =>
      columnErrors(column, `${path}.additionalPrinterColumns[${index}]`),
    ),
  ];
}

/**
 * Errors of selectable fields, which require a schema. Of one that cannot be read, or is not there, only the
 * paths are checked.
 */
export function selectionErrors(
  { selectableFields = [], schema }: VersionParts,
  path: string,
  missing: string,
  vocabulary: Vocabulary,
): readonly FieldError[] {
  if (selectableFields.length === 0) return [];
  if (schema === undefined) return [FieldErrors.invalid(`${path}.selectableFields`, '', missing)];
  const document = schema.openAPIV3Schema;
  const unsupported = unsupportedKeyword(document, vocabulary.extensionPrefix);
  const read = document === undefined ? undefined : readSchema(document, vocabulary);
  return [
    ...(unsupported ? [FieldErrors.invalid(`${path}.schema.openAPIV3Schema`, '', unsupported)] : []),
    ...selectableFieldsErrors(selectableFields, read ?? NO_SCHEMA, `${path}.selectableFields`),
  ];
}

const NO_SCHEMA: Schema = {};

/** Undefined for an invalid schema: its own errors are reported. */
function readSchema(document: JsonValue, vocabulary: Vocabulary): Schema | undefined {
  if (!isJsonObject(document)) return undefined;
  try {
    return fromOpenApi(document, { vocabulary, report: () => {} });
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

const MAXIMUM_WARNING_BYTES = 256;

/** Errors of a deprecation warning. */
export function deprecationErrors(
  { deprecated = false, deprecationWarning: text }: DefinitionVersion,
  path: string,
): readonly FieldError[] {
  if (text === undefined) return [];
  const errors: string[] = [];
  if (!deprecated) errors.push('can only be set for deprecated versions');
  else {
    if (utf8Length(text) > MAXIMUM_WARNING_BYTES) errors.push('must be <= 256 characters long');
    if (text === '') errors.push('must not be an empty string');
    const hidden = hiddenCharacter(text);
    if (hidden !== undefined)
      errors.push(
        `must only contain printable UTF-8 characters; non-printable character found at index ${hidden}`,
      );
  }
  return errors.map((why) => FieldErrors.invalid(`${path}.deprecationWarning`, text, why));
}

/** Returns the byte offset of the first non-printable character. */
function hiddenCharacter(text: string): number | undefined {
  let at = 0;
  for (const character of text) {
    if (!isPrintable(character)) return at;
    at += utf8Length(character);
  }
  return undefined;
}
