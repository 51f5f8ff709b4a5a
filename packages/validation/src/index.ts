export {
  checkDefinitionSchema,
  checkDefinitionSchemaSteps,
  type DefinitionSchemaOptions,
} from './check-definition-schema.ts';
export { type CompileValidatorOptions, compileValidator } from './compile-validator.ts';
export { type ExpressionAllowance, newAllowance } from './definition-rules.ts';
export type { ObjectValidator, ValidationContext } from './object-validator.ts';
