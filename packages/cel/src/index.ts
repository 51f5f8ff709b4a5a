export * from './lib/cost-model.ts';
export * from './lib/declarations.ts';
export * from './lib/environment.ts';
export {
  type Compilation,
  createEnvironment,
  defineFunction,
  defineType,
  type Environment,
  type EnvironmentOptions,
} from './lib/environment.ts';
export { valuesEqual } from './lib/equality.ts';
export * from './lib/estimate-model.ts';
export * from './lib/libraries/authorization.ts';
export { bindingLibrary } from './lib/libraries/bindings.ts';
export { encodersLibrary } from './lib/libraries/encoders.ts';
export { jsonPatchLibrary } from './lib/libraries/json-patch.ts';
export { mathLibrary } from './lib/libraries/math.ts';
export { cidrLibrary, ipLibrary } from './lib/libraries/network.ts';
export { optionalLibrary } from './lib/libraries/optionals.ts';
export { setsLibrary } from './lib/libraries/sets.ts';
export { standardLibrary } from './lib/libraries/standard.ts';
export { stringsLibrary } from './lib/libraries/strings.ts';
export { replacedSize } from './lib/libraries/text-costs.ts';
export { twoVariableLibrary } from './lib/libraries/two-variable.ts';
export * from './lib/network.ts';
export { toInt } from './lib/numbers.ts';
export { parse } from './lib/parser.ts';
export { buildMap } from './lib/plan-literal.ts';
export {
  type PolicyTypeChecker,
  type PolicyTypeOptions,
  type PolicyVariable,
  policyTypeChecker,
} from './lib/policy-types.ts';
export * from './lib/property-names.ts';
export * from './lib/request-types.ts';
export * from './lib/rule.ts';
export * from './lib/rule-evaluation.ts';
export * from './lib/rule-tree.ts';
export * from './lib/schema-type.ts';
export * from './lib/schema-value.ts';
export * from './lib/server-environment.ts';
export { issuesText } from './lib/source.ts';
export { durationText, parseDuration, parseTimestamp, timestampText } from './lib/time.ts';
export { type CelType, types, typeText } from './lib/types.ts';
export * from './lib/values.ts';
