export {
  checkDefinitionSchema,
  checkDefinitionSchemaSteps,
  type DefinitionSchemaOptions,
} from './check-definition-schema.ts';
export { type CompileValidatorOptions, compileValidator } from './compile-validator.ts';
export { type DefinitionAllowance, newAllowance } from './definition-allowance.ts';
export type { ObjectValidator, ValidationContext } from './object-validator.ts';
