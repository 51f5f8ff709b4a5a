import type { JsonValue } from '../json/json.ts';

/** JSON types in a schema. */
export type SchemaType = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';

/** A rule of a schema (`x-…-validations`). */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** Members of an object of which at most one is set, and the member that says which (`x-…-unions`). */
export interface SchemaUnion {
  readonly discriminator: string;
  /** The value of the discriminator for each of the members. */
  readonly 'fields-to-discriminateBy': Readonly<Record<string, string>>;
}

/**
 * The structural schema: the one description of a kind that validation, defaulting, pruning, merging,
 * encodings, columns and OpenAPI follow (semantics/schemas). Members of OpenAPI keep their names; vendor
 * extensions are spelled out and get their vendor's prefix only on the wire. Data, not behaviour: packages
 * compile it once and cache the result.
 *
 * `format` says how a string or number is encoded where its JSON type is not enough: `int32`, `int64`,
 * `double`, `byte` (base64), `date-time` (whole seconds), `date-time-micro`, `duration`, `quantity`,
 * `fields-v1`, `raw-extension`.
 */
export interface Schema {
  readonly type?: SchemaType;
  readonly format?: string;
  readonly title?: string;
  readonly description?: string;
  readonly nullable?: boolean;
  readonly default?: JsonValue;
  readonly enum?: readonly JsonValue[];

  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;

  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly not?: Schema;

  /** `x-…-preserve-unknown-fields`. */
  readonly preserveUnknownFields?: boolean;
  /** `x-…-embedded-resource`. */
  readonly embeddedResource?: boolean;
  /** `x-…-int-or-string`. */
  readonly intOrString?: boolean;
  /** `x-…-list-type`: how entries of the list are identified and owned. */
  readonly listType?: 'atomic' | 'set' | 'map';
  /** `x-…-list-map-keys`. */
  readonly listMapKeys?: readonly string[];
  /** `x-…-map-type`. */
  readonly mapType?: 'atomic' | 'granular';
  /** `x-…-validations`. */
  readonly validations?: readonly ValidationRule[];
  /** `x-…-unions`; published only. */
  readonly unions?: readonly SchemaUnion[];
  /** `x-…-patch-strategy` of strategic merge patches: `merge`, `replace`, `retainKeys`, or two of them with a comma. */
  readonly patchStrategy?: string;
  /** `x-…-patch-merge-key`. */
  readonly patchMergeKey?: string;

  /**
   * Name of a built-in type in published schemas, without the vendor's prefix: `api.core.v1.ConfigMap`;
   * errors name a type by its last two segments. Named string types (`apimachinery.pkg.types.UID`) are
   * inlined when schemas are published.
   */
  readonly typeName?: string;
  /**
   * Of a property: its field number in the type's Protobuf message; several numbers are a path through
   * messages whose fields JSON inlines. Of a branch of `anyOf`: the number of the shape.
   */
  readonly tag?: number | readonly number[];
  /**
   * Of a property of a built-in type: whether absence differs from the zero value. By default the zero value
   * and absence are the same, and the Protobuf form always carries the field. Lists and maps do not need it.
   */
  readonly optional?: boolean;
  /**
   * Of a property of a built-in type: printed even when empty (`""`, `0`, `false`, `null`). Objects that are
   * not `optional` always are.
   */
  readonly alwaysPrinted?: boolean;
  /** Of a property of a built-in type: whether published schemas do not show its `default`, which is a rule of the server. */
  readonly hiddenDefault?: boolean;
  /** Of a property of a built-in type: whether published schemas show a reference to its type, and nothing around it. */
  readonly bareReference?: boolean;
}
