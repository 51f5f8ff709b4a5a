export {
  type ComponentSchemas,
  type FromDocumentOptions,
  fromJsonSchema,
  fromOpenApiDocument,
} from './convert/from-json-schema.ts';
export {
  type FromOpenApiOptions,
  fromOpenApi,
  fromOpenApiSteps,
  type UnknownKeyword,
} from './convert/from-openapi.ts';
export { fromZod, readZod, type ZodKind } from './convert/from-zod.ts';
export type { Cycles } from './convert/json-references.ts';
export { type ToOpenApiOptions, toOpenApi } from './convert/to-openapi.ts';
export { type ToTypeScriptOptions, toTypeScript } from './convert/to-typescript.ts';
export { type ToZodSourceOptions, toZodSource } from './convert/to-zod-source.ts';
export type { ZodSchema } from './convert/zod-type.ts';
export type { ZodIssue, ZodVerdict } from './convert/zod-verdict.ts';
export { type CompilePattern, compileLinearPattern, type Pattern } from './formats/pattern.ts';
export { compileJsonPath, type JsonPath, type JsonPathOptions } from './json-path/json-path.ts';
export { JsonPathBudget } from './json-path/json-path-budget.ts';
export { type ColumnCell, compileColumnCell } from './json-path/json-path-column.ts';
export { JsonPathError } from './json-path/json-path-error.ts';
export type { DefaultLimits } from './structural/default-budget.ts';
export type { ValidateDefault } from './structural/default-check.ts';
export { type CoerceOptions, coerceRootMetadata } from './structural/embedded-metadata.ts';
export { findLargeValues, isPausePoint, type LargeValues } from './structural/large-values.ts';
export type { ReportUnknownField } from './structural/prune.ts';
export { readRuleFieldPath } from './structural/rule-field-path.ts';
export { countCombinedSchemasSteps } from './structural/schema-depth.ts';
export { type CompileStructuralOptions, compileStructural } from './structural/structural.ts';
export {
  checkStructuralSchema,
  inspectStructuralSchemaSteps,
  type StructuralCheckOptions,
  type StructuralInspection,
} from './structural/structural-check.ts';
export type { StructuralSchema } from './structural/structural-schema.ts';
export { collectStrictErrors, type StrictErrors } from './typed/strict-errors.ts';
export type { ReportStrictFieldError, StrictFieldError } from './typed/typed-context.ts';
export { compileTyped, type TypedCodec } from './typed/typed-decode.ts';
export { TypedDecodeError } from './typed/typed-decode-error.ts';
export { Correlation } from './validate/correlation.ts';
