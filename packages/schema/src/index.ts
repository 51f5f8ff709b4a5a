export { Correlation } from './lib/correlation.ts';
export type { DefaultLimits } from './lib/default-budget.ts';
export type { ValidateDefault } from './lib/default-check.ts';
export type { CoerceOptions } from './lib/embedded-metadata.ts';
export {
  type ComponentSchemas,
  type FromDocumentOptions,
  fromJsonSchema,
  fromOpenApiDocument,
} from './lib/from-json-schema.ts';
export { type FromOpenApiOptions, fromOpenApi, type UnknownKeyword } from './lib/from-openapi.ts';
export { fromZod } from './lib/from-zod.ts';
export { compileJsonPath, type JsonPath, type JsonPathOptions } from './lib/json-path.ts';
export { type ColumnCell, compileColumnCell } from './lib/json-path-column.ts';
export { JsonPathError } from './lib/json-path-error.ts';
export type { Cycles } from './lib/json-references.ts';
export { findLargeValues, isPausePoint, type LargeValues } from './lib/large-values.ts';
export { type CompilePattern, compileLinearPattern, type Pattern } from './lib/pattern.ts';
export type { ReportUnknownField } from './lib/prune.ts';
export { readRuleFieldPath } from './lib/rule-field-path.ts';
export { collectStrictErrors, type StrictErrors } from './lib/strict-errors.ts';
export { type CompileStructuralOptions, compileStructural, type StructuralSchema } from './lib/structural.ts';
export {
  checkStructuralSchema,
  inspectStructuralSchema,
  type StructuralCheckOptions,
  type StructuralInspection,
} from './lib/structural-check.ts';
export { type ToOpenApiOptions, toOpenApi } from './lib/to-openapi.ts';
export { type ToTypeScriptOptions, toTypeScript } from './lib/to-typescript.ts';
export { type ToZodSourceOptions, toZodSource } from './lib/to-zod-source.ts';
export type { ReportStrictFieldError, StrictFieldError } from './lib/typed-context.ts';
export { compileTyped, type TypedCodec } from './lib/typed-decode.ts';
export { TypedDecodeError } from './lib/typed-decode-error.ts';
export { MOST_ERRORS } from './lib/value-errors.ts';
