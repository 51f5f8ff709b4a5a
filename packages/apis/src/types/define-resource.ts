import { actualValueText, type FieldError, type JsonValue, type Schema } from '@ashlar/core';
import type { ColumnDefinition, ResourceDefinition, ResourceStorage, TypeStore } from '@ashlar/registry';
import { compileStructural, readZod, type StructuralSchema, type ZodSchema } from '@ashlar/schema';
import { checkResourceOptions } from './check-resource-options.ts';
import { ageColumn, nameColumn } from './columns.ts';
import { type CustomRules, customStatus, customStrategy } from './custom-strategy.ts';
import { type ColumnOptions, hostColumn } from './host-column.ts';
import { pluralOf } from './plural.ts';
import type { CustomObject, TypedResourceDefinition } from './typed-resource.ts';
import { withZodValue, type ZodKinds, zodErrors } from './zod-rules.ts';

/** Output type of a zod schema. */
export type OutputOf<Type extends ZodSchema> = Type['_zod']['output'];

/** Input type of a zod schema. */
export type InputOf<Type extends ZodSchema> = Type['_zod']['input'];

/** Options of a resource type. */
export interface ResourceOptions<Spec extends ZodSchema, Status extends ZodSchema> {
  /** A group of the host: `example.com`. */
  readonly group: string;
  /** `v1`, `v1beta1`, … */
  readonly version: string;
  /** Singular, in upper camel case. */
  readonly kind: string;
  /** As in paths; by default the lower-case plural of the kind. */
  readonly plural?: string;
  readonly shortNames?: readonly string[];
  /** Categories, groups of types such as `all`. */
  readonly categories?: readonly string[];
  /** Default: namespaced. */
  readonly scope?: 'Namespaced' | 'Cluster';
  /** The desired state. */
  readonly spec: Spec;
  /** The observed state, written through the status subresource. */
  readonly status?: Status;
  /** Default: the age. */
  readonly columns?: readonly ColumnOptions<CustomObject<OutputOf<Spec>, OutputOf<Status>>>[];
  /** Serves existing objects of the host, with the implemented verbs; by default objects are stored. */
  readonly storage?: ResourceStorage | TypeStore;
  /**
   * Rules beyond the schema. Called with valid objects.
   * @param stored the replaced object; undefined for a new one
   */
  validate?(
    object: CustomObject<OutputOf<Spec>, OutputOf<Status>>,
    stored: CustomObject<OutputOf<Spec>, OutputOf<Status>> | undefined,
  ): readonly FieldError[];
}

/**
 * Declares a resource type by the zod types of its spec and status. Objects are pruned, defaulted and
 * validated like those of custom resource definitions (semantics/schemas), and the definition has their
 * TypeScript types. Other features of zod are supported: refinements reject objects, with their messages at
 * their paths, `.trim()` and other overwrites change what is stored, and computed defaults are computed for
 * each object. They run without pauses, however large the object is.
 *
 * @throws TypeError for invalid or unknown options; if a zod type has no counterpart in JSON or changes the
 * type of a value, naming the path; and for patterns that would not run in linear time: use `.refine` for
 * look-around
 * @example
 * const widgets = defineResource({
 *   group: 'example.com',
 *   version: 'v1',
 *   kind: 'Widget',
 *   spec: z.object({ size: z.int().min(1).default(1), color: z.string().optional() }),
 *   status: z.object({ ready: z.boolean() }),
 * });
 * type Widget = ObjectOf<typeof widgets>; // { spec: { size: number; color?: string }; status?: { ready:
 * boolean }; … }
 */
export function defineResource<Spec extends ZodSchema, Status extends ZodSchema = never>(
  options: ResourceOptions<Spec, Status>,
): TypedResourceDefinition<OutputOf<Spec>, OutputOf<Status>, InputOf<Spec>> {
  checkResourceOptions(options);
  const { group, version, kind, plural = pluralOf(kind), shortNames, categories, storage } = options;
  const kinds: ZodKinds = {
    spec: readPart('spec', options.spec),
    ...(options.status && { status: readPart('status', options.status) }),
  };
  const schema = objectSchema(kinds, 'schema');
  const structure = compiled(objectSchema(kinds, 'exactSchema'));
  const rules = rulesOf(structure, kinds, options);
  return {
    group,
    names: {
      plural,
      singular: kind.toLowerCase(),
      kind,
      listKind: `${kind}List`,
      ...(shortNames && { shortNames }),
      ...(categories && { categories }),
    },
    scope: options.scope ?? 'Namespaced',
    dialect: 'custom',
    versions: [
      {
        name: version,
        served: true,
        storage: true,
        schema,
        structure,
        columns: columnsOf(options),
        ...(options.status && { subresources: [customStatus(rules)] }),
      },
    ],
    strategy: customStrategy(rules),
    ...storageOf(storage),
  };
}

/** Where objects are: a storage that has its own verbs, or a store below the usual ones. */
function storageOf(
  storage: ResourceStorage | TypeStore | undefined,
): Partial<Pick<ResourceDefinition, 'storage' | 'createStore'>> {
  if (!storage) return {};
  return 'createStore' in storage ? { createStore: storage.createStore } : { storage };
}

/** Compiles the schema of a type; errors are those of patterns. */
function compiled(schema: Schema): StructuralSchema {
  try {
    return compileStructural(schema);
  } catch (error) {
    throw new TypeError(`option "spec" of defineResource: ${(error as Error).message}`, { cause: error });
  }
}

/** Converts a zod type; errors name the part that contains it. */
function readPart(part: string, type: ZodSchema): ReturnType<typeof readZod> {
  try {
    return readZod(type);
  } catch (error) {
    throw new TypeError(`option "${part}" of defineResource: ${(error as Error).message}`, { cause: error });
  }
}

function objectSchema({ spec, status }: ZodKinds, form: 'schema' | 'exactSchema'): Schema {
  const text: Schema = { type: 'string' };
  return {
    type: 'object',
    properties: {
      apiVersion: text,
      kind: text,
      metadata: { type: 'object' },
      ...(spec && { spec: spec[form] }),
      ...(status && { status: status[form] }),
    },
    required: ['spec'],
  };
}

function rulesOf<Spec extends ZodSchema, Status extends ZodSchema>(
  structure: StructuralSchema,
  kinds: ZodKinds,
  options: ResourceOptions<Spec, Status>,
): CustomRules {
  type Read = CustomObject<OutputOf<Spec>, OutputOf<Status>>;
  const further = (
    errors: readonly FieldError[],
    object: Read,
    stored: Read | undefined,
  ): readonly FieldError[] => (errors.length > 0 ? errors : hostErrors(options, object, stored));
  return {
    hasStatus: options.status !== undefined,
    complete: (object, part) => withZodValue(kinds, object, part),
    validate: (object) => {
      const errors = structure.validate(object as unknown as JsonValue);
      return further(zodErrors(kinds, errors, object), object as Read, undefined);
    },
    validateUpdate: (object, stored) => {
      const errors = structure.validateUpdate(object as unknown as JsonValue, stored as unknown as JsonValue);
      return further(zodErrors(kinds, errors, object, stored), object as Read, stored as Read);
    },
  };
}

/** @throws Error for what is no list of errors, an internal error: the caller is not to blame */
function hostErrors<Read>(
  { kind, validate }: { readonly kind: string; validate?(object: Read, stored: Read | undefined): unknown },
  object: Read,
  stored: Read | undefined,
): readonly FieldError[] {
  const found = validate?.(object, stored) ?? [];
  if (Array.isArray(found) && found.every(isFieldError)) return found;
  throw new Error(
    `"validate" of ${kind} must return a list of errors, such as [FieldErrors.invalid('spec.a', value, 'why')], not ${actualValueText(Array.isArray(found) ? found.find((each) => !isFieldError(each)) : found)}`,
  );
}

const isFieldError = (value: unknown): value is FieldError =>
  typeof (value as FieldError | null)?.field === 'string' &&
  typeof (value as FieldError).message === 'string';

function columnsOf<Spec extends ZodSchema, Status extends ZodSchema>({
  columns,
}: ResourceOptions<Spec, Status>): readonly ColumnDefinition[] {
  if (!columns) return [nameColumn, { ...ageColumn, type: 'date' }];
  return [nameColumn, ...columns.map((column) => hostColumn(column as ColumnOptions<never>))];
}
