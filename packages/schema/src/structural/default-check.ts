import {
  type FieldError,
  FieldErrors,
  fieldErrorText,
  type JsonValue,
  joinedTexts,
  jsonEqual,
  type Schema,
  type Steps,
  setMember,
} from '@ashlar/core';
import { TaskStack } from '../convert/task-stack.ts';
import type { CompilePattern } from '../formats/pattern.ts';
import { SchemaPatterns } from '../formats/schema-patterns.ts';
import { TypedDecodeError } from '../typed/typed-decode-error.ts';
import { compileLiteralNode } from '../validate/compile-value-node.ts';
import { errorsOf } from '../validate/value-node.ts';
import { coerceEmbedded, coerceRootMetadata, EmbeddedMetadataError } from './embedded-metadata.ts';
import { pruneInside, pruneUnknown } from './prune.ts';
import { validateEmbedded } from './validate-embedded.ts';

/** Returns further errors of a default; `isResourceRoot` means that it is a complete object, embedded or not. */
export type ValidateDefault = (
  value: JsonValue,
  schema: Schema,
  isResourceRoot: boolean,
  path: string,
) => readonly FieldError[];

/**
 * Returns the errors of the defaults of a schema (semantics/schemas#structural-rules): each must match its
 * own schema, have no unknown fields and, within metadata, be valid metadata. Defaults below
 * `additionalProperties` are not checked.
 */
export function* defaultErrorsSteps(
  schema: Schema,
  path: string,
  compilePattern: CompilePattern,
  validateDefault: ValidateDefault = () => [],
): Steps<readonly FieldError[]> {
  const check = new DefaultCheck(compilePattern, validateDefault);
  check.schema({ ...schema, embeddedResource: true }, path, undefined);
  yield* check.tasks.runSteps();
  return check.errors;
}

/** The metadata that contain a schema: their resource, and the path from there. */
interface Metadata {
  readonly resource: Schema;
  readonly steps: PathSteps;
  readonly inside: boolean;
}

/** Where a default is, and the patterns that it is checked with. */
interface Checked extends Metadata {
  readonly patterns: SchemaPatterns;
}

/** The path to a value: names of members and indexes of items, the last one first. */
type PathSteps = { readonly step: string | number; readonly before: PathSteps } | undefined;

/** Checked before the path is built: most fields have no default. */
const hasNoDefault = (schema: Schema): boolean =>
  schema.default === undefined && schema.properties === undefined && schema.items === undefined;

const META_FIELDS = ['metadata', 'apiVersion', 'kind'];

class DefaultCheck {
  readonly errors: FieldError[] = [];
  /** Checks of parts that are still to be made. */
  readonly tasks: TaskStack = new TaskStack();
  readonly #compilePattern: CompilePattern;
  readonly #validateDefault: ValidateDefault;

  constructor(compilePattern: CompilePattern, validateDefault: ValidateDefault) {
    this.#compilePattern = compilePattern;
    this.#validateDefault = validateDefault;
  }

  schema(schema: Schema, path: string, around: Metadata | undefined): void {
    this.tasks.add(() => this.#schema(schema, path, around));
  }

  #schema(schema: Schema, path: string, around: Metadata | undefined): void {
    const place: Metadata =
      schema.embeddedResource || !around ? { resource: schema, steps: undefined, inside: false } : around;
    const value = schema.default;
    if (value !== undefined && value !== null) this.#default(schema, value, `${path}.default`, place);
    const { resource, steps: before, inside } = place;
    if (schema.items) {
      this.schema(schema.items, `${path}.items`, { resource, steps: { step: 0, before }, inside });
    }
    for (const [name, part] of Object.entries(schema.properties ?? {})) {
      if (hasNoDefault(part)) continue;
      const isMeta = schema.embeddedResource === true && META_FIELDS.includes(name);
      const within: Metadata = { resource, steps: { step: name, before }, inside: inside || isMeta };
      this.schema(part, `${path}.properties[${name}]`, within);
    }
  }

  /** The patterns of the value are compiled before it is checked. */
  #default(schema: Schema, value: JsonValue, path: string, place: Metadata): void {
    const patterns = new SchemaPatterns(schema, this.#compilePattern);
    this.tasks.addSteps(patterns.compileSteps());
    this.tasks.add(() => {
      if (place.inside) this.#metadataDefault(schema, value, path, { ...place, patterns });
      else this.#plainDefault(schema, value, path, { ...place, patterns });
    });
  }

  #plainDefault(schema: Schema, value: JsonValue, path: string, place: Checked): void {
    const pruned = schema.embeddedResource
      ? pruneUnknown(value, schema, () => {})
      : pruneInside(value, schema);
    if (!jsonEqual(pruned, value))
      this.errors.push(FieldErrors.invalid(path, value, 'must not have unknown fields'));
    try {
      const coerced = coerceEmbedded(value, schema, () => {}, {}, path);
      const errors = validateEmbedded(coerced, schema, path);
      this.errors.push(...(errors.length > 0 ? errors : this.#valueErrors(schema, coerced, path, place)));
    } catch (error) {
      if (!(error instanceof EmbeddedMetadataError)) throw error;
      this.errors.push(error.fieldError);
    }
  }

  #metadataDefault(schema: Schema, value: JsonValue, path: string, place: Checked): void {
    const problem = metadataFault(value, place);
    if (problem === undefined) this.errors.push(...this.#valueErrors(schema, value, path, place));
    else this.errors.push(FieldErrors.invalid(path, value, `must result in valid metadata: ${problem}`));
  }

  #valueErrors(schema: Schema, value: JsonValue, path: string, place: Checked): readonly FieldError[] {
    const errors = errorsOf(compileLiteralNode(schema, place.patterns.compile), value);
    if (errors.length === 0) return this.#validateDefault(value, schema, place.resource === schema, path);
    return errors.map((error) => ({
      ...error,
      field: error.field === '<nil>' ? path : `${path}.${error.field}`,
    }));
  }
}

/** Places a default in an object, and returns the errors of the result. */
function metadataFault(value: JsonValue, { resource, steps }: Metadata): string | undefined {
  const root: Schema = { ...resource, embeddedResource: true };
  const object = { ...defaultsOfType, ...(surround(value, steps) as Record<string, JsonValue>) };
  try {
    const coerced = coerceEmbedded(
      coerceRootMetadata(object, () => {}),
      root,
      () => {},
    );
    const errors = validateEmbedded(coerced, root);
    return errors.length === 0 ? undefined : joinedTexts(errors.map(fieldErrorText));
  } catch (error) {
    if (error instanceof EmbeddedMetadataError) return error.message;
    if (error instanceof TypedDecodeError)
      return `metadata: Invalid value: ${JSON.stringify(object)}: ${error.message}`;
    throw error;
  }
}

const defaultsOfType: Readonly<Record<string, JsonValue>> = {
  apiVersion: 'validation/v1',
  kind: 'Validation',
};

function surround(value: JsonValue, steps: PathSteps): JsonValue {
  let surrounded = value;
  for (let at = steps; at; at = at.before) {
    if (typeof at.step === 'number') surrounded = [surrounded];
    else {
      const object: Record<string, JsonValue> = {};
      setMember(object, at.step, surrounded);
      surrounded = object;
    }
  }
  return surrounded;
}
