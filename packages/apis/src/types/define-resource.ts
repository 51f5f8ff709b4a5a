import type { FieldError, JsonValue, Schema } from '@ashlar/core';
import type { ColumnDefinition, ResourceStorage } from '@ashlar/registry';
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
  /** A group of one's own: `example.com`. */
  readonly group: string;
  /** `v1`, `v1beta1`, … */
  readonly version: string;
  /** In the singular, beginning with a capital. */
  readonly kind: string;
  /** As in paths; the kind in lower case with an ending by default. */
  readonly plural?: string;
  readonly shortNames?: readonly string[];
  /** Groups of types that clients ask for together, such as `all`. */
  readonly categories?: readonly string[];
  /** Default: namespaced. */
  readonly scope?: 'Namespaced' | 'Cluster';
  /** The desired state. */
  readonly spec: Spec;
  /** The observed state, written through the status subresource. */
  readonly status?: Status;
  /** By default the age. */
  readonly columns?: readonly ColumnOptions<CustomObject<OutputOf<Spec>, OutputOf<Status>>>[];
  /** Serves objects that the host has already, with the verbs that are there; without it they are stored. */
  readonly storage?: ResourceStorage;
  /**
   * Rules beyond the schema. Called with objects that fit it.
   * @param stored what the object replaces; undefined for a new one
   */
  validate?(
    object: CustomObject<OutputOf<Spec>, OutputOf<Status>>,
    stored: CustomObject<OutputOf<Spec>, OutputOf<Status>> | undefined,
  ): readonly FieldError[];
}

/**
 * Declares a resource type by the types of its spec and status. Objects are pruned, defaulted and validated by them, as those
 * of custom resource definitions are (semantics/schemas), and the definition carries their TypeScript types. Whatever else a type
 * says is kept: refinements reject objects, with their messages at their paths, `.trim()` and other overwrites change what is stored,
 * and a default that is computed is computed for each object. They run in one piece, however large the object is.
 *
 * @throws TypeError for options that are wrong or unknown; if a type of zod has no counterpart in JSON or changes the type of
 * a value, naming the place; and for patterns that would not run in linear time: what looks around belongs into `.refine`
 * @example
 * const widgets = defineResource({
 *   group: 'example.com',
 *   version: 'v1',
 *   kind: 'Widget',
 *   spec: z.object({ size: z.int().min(1).default(1), color: z.string().optional() }),
 *   status: z.object({ ready: z.boolean() }),
 * });
 * type Widget = ObjectOf<typeof widgets>; // { spec: { size: number; color?: string }; status?: { ready: boolean }; … }
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
  const schema = wholeSchema(kinds, 'schema');
  const structure = compiled(wholeSchema(kinds, 'exactSchema'));
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
    ...(storage && { storage }),
  };
}

/** Compiles the schema of a type; errors are of patterns. */
function compiled(schema: Schema): StructuralSchema {
  try {
    return compileStructural(schema);
  } catch (error) {
    throw new TypeError(`option "spec" of defineResource: ${(error as Error).message}`, { cause: error });
  }
}

/** Reads a type of zod; errors name the part that it is of. */
function readPart(part: string, type: ZodSchema): ReturnType<typeof readZod> {
  try {
    return readZod(type);
  } catch (error) {
    throw new TypeError(`option "${part}" of defineResource: ${(error as Error).message}`, { cause: error });
  }
}

function wholeSchema({ spec, status }: ZodKinds, form: 'schema' | 'exactSchema'): Schema {
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
  ): readonly FieldError[] => (errors.length > 0 ? errors : (options.validate?.(object, stored) ?? []));
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

function columnsOf<Spec extends ZodSchema, Status extends ZodSchema>({
  columns,
}: ResourceOptions<Spec, Status>): readonly ColumnDefinition[] {
  if (!columns) return [nameColumn, { ...ageColumn, type: 'date' }];
  return [nameColumn, ...columns.map((column) => hostColumn(column as ColumnOptions<never>))];
}
