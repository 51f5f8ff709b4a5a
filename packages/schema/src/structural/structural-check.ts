import {
  compareUtf8,
  type FieldError,
  FieldErrors,
  fieldErrorText,
  isJsonObject,
  type JsonValue,
  MAXIMUM_FIELD_ERRORS,
  runAtOnce,
  type Schema,
  type Steps,
  type Vocabulary,
} from '@ashlar/core';
import { fromOpenApiLenientlySteps } from '../convert/from-openapi.ts';
import { SchemaDocument } from '../convert/schema-document.ts';
import { type CompilePattern, compileLinearPattern } from '../formats/pattern.ts';
import { defaultErrorsSteps, type ValidateDefault } from './default-check.ts';
import { keywordFaultsSteps } from './keyword-check.ts';
import { unreadableKeywordSteps } from './readability.ts';
import { isNestedTooDeepSteps, MAXIMUM_SCHEMA_DEPTH } from './schema-depth.ts';
import { completenessErrorsSteps } from './structural-completeness.ts';
import { structuralErrorsSteps } from './structural-invariants.ts';

/** Options of the check. */
export interface StructuralCheckOptions {
  /** Vocabulary whose prefix vendor extensions have. */
  readonly vocabulary: Vocabulary;
  /** Path of the schema: `spec.versions[0].schema.openAPIV3Schema`. */
  readonly path: string;
  /** Whether the version has the status subresource, which forbids some keywords at the root. */
  readonly statusSubresource?: boolean;
  /** Compiles `pattern`; default {@link compileLinearPattern}. */
  readonly compilePattern?: CompilePattern;
  /**
   * Returns further errors of a default that matches its schema, such as those of rules, which another
   * package runs.
   */
  readonly validateDefault?: ValidateDefault;
}

/** Result of checking a schema. */
export interface StructuralInspection {
  readonly errors: readonly FieldError[];
  /** The paths of parts with invalid keywords: rules there or around cannot be typed. */
  readonly brokenPlaces: readonly string[];
  /**
   * The schema, if it is structural and its defaults are valid; undefined if it has no shape to type rules
   * by.
   */
  readonly schema: Schema | undefined;
}

/**
 * Returns the errors of a schema of custom resources: it must be structural, use supported keywords only and
 * have valid defaults (semantics/schemas#structural-rules). Rules (`x-…-validations`) are checked except for
 * their expressions. Nesting deeper than 256 levels is rejected, which the reference server accepts. The
 * order of errors is not specified.
 *
 * @example
 * checkStructuralSchema({ type: 'array', items: { type: 'string' } }, { vocabulary, path: 'schema' });
 * // schema.type: Invalid value: "array": must be object at the root
 */
export function checkStructuralSchema(
  schema: JsonValue,
  options: StructuralCheckOptions,
): readonly FieldError[] {
  return runAtOnce(inspectStructuralSchemaSteps(schema, options)).errors;
}

/** {@link checkStructuralSchema} for callers that check the rules next, with pauses between its passes. */
export function* inspectStructuralSchemaSteps(
  schema: JsonValue,
  options: StructuralCheckOptions,
): Steps<StructuralInspection> {
  const { path, vocabulary } = options;
  if (!isJsonObject(schema)) return refused(FieldErrors.invalid(path, schema, 'must be an object'));
  if (yield* isNestedTooDeepSteps(schema)) {
    const text = `must not be nested deeper than ${MAXIMUM_SCHEMA_DEPTH} levels`;
    return refused(FieldErrors.invalid(path, '', text));
  }
  yield;
  const document = new SchemaDocument(schema, vocabulary);
  const unreadable = yield* unreadableKeywordSteps(document);
  yield;
  const shape = unreadable === undefined ? yield* readShape(document, options) : UNREADABLE;
  yield;
  const keywords = yield* keywordFaultsSteps(document, path, vocabulary);
  const errors = rootErrors(document, options).concat(shape.errors, keywords.errors);
  if (errors.length === 0 && unreadable === '$schema') {
    errors.push(FieldErrors.invalid(path, '', "OpenAPIV3Schema 'schema' is not supported"));
  }
  return { errors, brokenPlaces: keywords.places, schema: shape.schema };
}

const refused = (error: FieldError): StructuralInspection => ({
  errors: [error],
  brokenPlaces: [],
  schema: undefined,
});

function rootErrors(
  document: SchemaDocument,
  { path, statusSubresource }: StructuralCheckOptions,
): readonly FieldError[] {
  const errors = statusSubresource ? statusErrors(document, path) : [];
  if (!document.flag('nullable')) return errors;
  return [...errors, FieldErrors.forbidden(`${path}.nullable`, 'nullable cannot be true at the root')];
}

interface Shape {
  readonly errors: readonly FieldError[];
  readonly schema: Schema | undefined;
}

const UNREADABLE: Shape = { errors: [], schema: undefined };

/** The first errors by their text: no more are reported. There may be as many as the schema has parts. */
function* firstErrors(errors: readonly FieldError[]): Steps<readonly FieldError[]> {
  let first: { readonly text: string; readonly error: FieldError }[] = [];
  const byText = (a: { readonly text: string }, b: { readonly text: string }): number =>
    compareUtf8(a.text, b.text);
  for (const [index, error] of errors.entries()) {
    first.push({ text: fieldErrorText(error), error });
    if (first.length === 10 * MAXIMUM_FIELD_ERRORS) {
      first = first.sort(byText).slice(0, MAXIMUM_FIELD_ERRORS + 1);
    }
    if (index % 256 === 255) yield;
  }
  return first
    .sort(byText)
    .slice(0, MAXIMUM_FIELD_ERRORS + 1)
    .map(({ error }) => error);
}

/** Defaults are checked only where the schema is structural. */
function* readShape(document: SchemaDocument, options: StructuralCheckOptions): Steps<Shape> {
  const { path, vocabulary, compilePattern = compileLinearPattern } = options;
  const broken = yield* structuralErrorsSteps(document, path, compilePattern);
  yield;
  const incomplete = yield* completenessErrorsSteps(document, path);
  yield;
  const structural = yield* firstErrors(broken.concat(incomplete));
  if (structural.length > 0) return { errors: structural, schema: undefined };
  const schema = yield* fromOpenApiLenientlySteps(document.json, vocabulary);
  yield;
  const errors = yield* defaultErrorsSteps(schema, path, compilePattern, options.validateDefault);
  return { errors, schema: errors.length === 0 ? schema : undefined };
}

/** Allowed keywords at the root with a status subresource, under their names in the error. */
const BESIDE_STATUS: ReadonlyMap<string, string> = new Map([
  ['description', 'Description'],
  ['type', 'Type'],
  ['format', 'Format'],
  ['title', 'Title'],
  ['maximum', 'Maximum'],
  ['exclusiveMaximum', 'ExclusiveMaximum'],
  ['minimum', 'Minimum'],
  ['exclusiveMinimum', 'ExclusiveMinimum'],
  ['maxLength', 'MaxLength'],
  ['minLength', 'MinLength'],
  ['pattern', 'Pattern'],
  ['maxItems', 'MaxItems'],
  ['minItems', 'MinItems'],
  ['uniqueItems', 'UniqueItems'],
  ['multipleOf', 'MultipleOf'],
  ['required', 'Required'],
  ['items', 'Items'],
  ['properties', 'Properties'],
  ['externalDocs', 'ExternalDocs'],
  ['example', 'Example'],
  ['preserve-unknown-fields', 'XPreserveUnknownFields'],
  ['validations', 'XValidations'],
]);
/** Keywords that are checked before the type. */
const BEFORE_TYPE = ['id', '$schema', '$ref'];

function statusErrors(document: SchemaDocument, path: string): readonly FieldError[] {
  const allowed = new Set([...BESIDE_STATUS.keys()].flatMap((name) => [name, document.extension(name)]));
  const keywords = document.keywords();
  const type = document.text('type');
  if (type !== '' && type !== 'object' && !keywords.some((keyword) => BEFORE_TYPE.includes(keyword))) {
    const text =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    return [FieldErrors.invalid(`${path}.type`, type, text)];
  }
  if (keywords.every((keyword) => allowed.has(keyword))) return [];
  const names = [...BESIDE_STATUS.values()].join(' ');
  const text = `only [${names}] fields are allowed at the root of the schema if the status subresource is enabled`;
  return [FieldErrors.invalid(path, document.json, text)];
}
