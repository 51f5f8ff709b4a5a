export { checkDefinitionSchema, type DefinitionSchemaOptions } from './lib/check-definition-schema.ts';
export { type CompileValidatorOptions, compileValidator } from './lib/compile-validator.ts';
export type { ObjectValidator, ValidationContext } from './lib/object-validator.ts';
