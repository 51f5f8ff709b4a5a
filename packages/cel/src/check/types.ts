/** The families of types. */
export type TypeKind =
  | 'dyn'
  | 'any'
  | 'error'
  | 'null_type'
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'timestamp'
  | 'duration'
  | 'list'
  | 'map'
  | 'type'
  | 'object'
  | 'abstract'
  | 'parameter';

/** A type of the expression language. Compared with {@link sameType}, printed with {@link typeText}. */
export interface CelType {
  readonly kind: TypeKind;
  /** Name at run time: `int`, `google.protobuf.Timestamp`, the name of an object type. */
  readonly name: string;
  readonly parameters: readonly CelType[];
  /** A wrapper of a primitive type: holds null too. */
  readonly nullable?: boolean;
  /**
   * Of an abstract or object type: the cost of `==`, or whether it depends on the size of values; unknown by
   * default.
   */
  readonly comparison?: { readonly min: bigint; readonly max: bigint } | 'by-size';
}

const NONE: readonly CelType[] = [];
const simple = (kind: TypeKind, name: string = kind): CelType => ({ kind, name, parameters: NONE });

const dyn: CelType = simple('dyn');

/** Constants and constructors of types. */
export interface Types {
  readonly dyn: CelType;
  readonly any: CelType;
  readonly error: CelType;
  readonly null: CelType;
  readonly bool: CelType;
  readonly int: CelType;
  readonly uint: CelType;
  readonly double: CelType;
  readonly string: CelType;
  readonly bytes: CelType;
  readonly timestamp: CelType;
  readonly duration: CelType;
  readonly type: CelType;
  /** Lists of one type of elements. */
  list(element?: CelType): CelType;
  /** Maps of one type of keys and one of values. */
  map(key?: CelType, value?: CelType): CelType;
  /** The type of a type. */
  typeOf(type: CelType): CelType;
  /** Objects with declared fields. */
  object(name: string): CelType;
  /** An opaque type. */
  abstract(name: string, ...parameters: CelType[]): CelType;
  /** A value that may be absent. */
  optional(value: CelType): CelType;
  /** A primitive or null. */
  wrapper(type: CelType): CelType;
  /** A type parameter in signatures of functions. */
  parameter(name: string): CelType;
}

/** Constants and constructors of types. */
export const types: Types = {
  dyn,
  any: simple('any', 'google.protobuf.Any'),
  error: simple('error', '!error!'),
  null: simple('null_type'),
  bool: simple('bool'),
  int: simple('int'),
  uint: simple('uint'),
  double: simple('double'),
  string: simple('string'),
  bytes: simple('bytes'),
  timestamp: simple('timestamp', 'google.protobuf.Timestamp'),
  duration: simple('duration', 'google.protobuf.Duration'),
  type: simple('type'),
  list: (element = dyn) => ({ kind: 'list', name: 'list', parameters: [element] }),
  map: (key = dyn, value = dyn) => ({ kind: 'map', name: 'map', parameters: [key, value] }),
  typeOf: (type) => ({ kind: 'type', name: 'type', parameters: [type] }),
  object: (name) => simple('object', name),
  abstract: (name, ...parameters) => ({ kind: 'abstract', name, parameters }),
  optional: (value) => ({ kind: 'abstract', name: 'optional_type', parameters: [value] }),
  wrapper: (type) => ({ ...type, nullable: true }),
  parameter: (name) => simple('parameter', name),
};

const SHORT_NAMES: Readonly<Partial<Record<TypeKind, string>>> = {
  timestamp: 'timestamp',
  duration: 'duration',
  any: 'any',
  null_type: 'null',
};

/** A type as messages of the type checker print it: `list(int)`, `map(string, dyn)`, `wrapper(int)`. */
export const typeText = (type: CelType): string =>
  textWithNames(type, ({ kind, name }) => SHORT_NAMES[kind] ?? name);

/** A type with the names under which types are declared: `list(null_type)`, `google.protobuf.Duration`. */
export const declaredTypeText = (type: CelType): string => textWithNames(type, ({ name }) => name);

function textWithNames(type: CelType, nameOf: (type: CelType) => string): string {
  if (type.nullable) return `wrapper(${textWithNames({ ...type, nullable: false }, nameOf)})`;
  if (type.parameters.length === 0) return nameOf(type);
  return `${nameOf(type)}(${type.parameters.map((each) => textWithNames(each, nameOf)).join(', ')})`;
}

/** Whether two types are equal: same kind, name and parameters. */
export function sameType(a: CelType, b: CelType): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || a.name !== b.name || (a.nullable ?? false) !== (b.nullable ?? false)) return false;
  return sameParameters(a, b);
}

function sameParameters(a: CelType, b: CelType): boolean {
  if (a.parameters.length !== b.parameters.length) return false;
  for (let i = 0; i < a.parameters.length; i++) {
    if (!sameType(a.parameters[i] as CelType, b.parameters[i] as CelType)) return false;
  }
  return true;
}

/** Returns the element type of an optional; undefined for other types. */
export function optionalContent(type: CelType): CelType | undefined {
  return type.kind === 'abstract' && type.name === 'optional_type' ? (type.parameters[0] ?? dyn) : undefined;
}
