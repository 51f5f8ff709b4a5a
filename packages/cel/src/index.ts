// Expressions: create an environment, compile, evaluate.

export type { CheckedExpression, CheckResult, Reference } from './check/checked-expression.ts';
export type { ObjectType, ObjectTypeLookup } from './check/declaration-scope.ts';
export {
  type FunctionDeclaration,
  type Implementation,
  type Library,
  method,
  type Overload,
  type OverloadCost,
  overload,
} from './check/declarations.ts';
export { MUTATION_TYPES, withMutationTypes } from './check/mutation-types.ts';
export {
  type PolicyTypeChecker,
  type PolicyTypeOptions,
  type PolicyVariable,
  policyTypeChecker,
} from './check/policy-types.ts';
export {
  accessReviewDeclarations,
  claimsDeclarations,
  defineObjectType,
  type PolicyVariables,
  policyDeclarations,
  userDeclarations,
} from './check/request-types.ts';
export {
  maxOccurrences,
  objectTypesOf,
  type SchemaField,
  type SchemaType,
  type SchemaTypeOptions,
  schemaType,
  sizeHintsOf,
  withTypeAndName,
} from './check/schema-type.ts';
export { schemaValue } from './check/schema-value.ts';
export { type CelType, declaredTypeText, sameType, type TypeKind, types, typeText } from './check/types.ts';
// Costs.
export {
  type CallCost,
  type CostModel,
  fixedCost,
  kubernetesCosts,
  ofResult,
  sizeOf,
  specificationCosts,
} from './cost/cost-model.ts';
export type { Estimate } from './cost/estimate.ts';
export {
  anySize,
  type CallEstimate,
  type CallEstimator,
  type EstimatedCall,
  estimateReading,
  exactly,
  fixedEstimate,
  type Range,
  type SizedNode,
  type SizeHints,
  UNBOUNDED,
} from './cost/estimate-model.ts';
export { UNPAID_SHARE, workSpent } from './cost/work.ts';
export {
  type Compilation,
  createEnvironment,
  defineFunction,
  defineType,
  type Environment,
  type EnvironmentOptions,
  type ProgramOptions,
} from './environment/environment.ts';
// Environments of servers, by release and use.
export {
  type EnvironmentSet,
  environmentSet,
  type Release,
  type ServerEnvironmentOptions,
  serverEnvironment,
} from './environment/server-environment.ts';
// Libraries of functions.
export { aggregatesLibrary } from './libraries/aggregates.ts';
export {
  type AuthorizationTypes,
  authorizationLibrary,
  authorizationSelectorsLibrary,
  authorizationTypes,
  authorizerValue,
  type RequestResource,
  requestResourceValue,
} from './libraries/authorization.ts';
export { encodersLibrary } from './libraries/encoders.ts';
export { formatsLibrary } from './libraries/formats.ts';
export { jsonPatchLibrary } from './libraries/json-patch.ts';
export { listsLibrary } from './libraries/lists.ts';
export { mathLibrary } from './libraries/math.ts';
export { cidrLibrary, ipLibrary, type NetworkWording } from './libraries/network.ts';
export { optionalLibrary } from './libraries/optionals.ts';
export { patternsLibrary } from './libraries/patterns.ts';
export { quantitiesLibrary } from './libraries/quantities.ts';
export { setsLibrary } from './libraries/sets.ts';
export { standardLibrary } from './libraries/standard.ts';
export { stringsLibrary } from './libraries/strings.ts';
export { replacedSize } from './libraries/text-costs.ts';
export { twoVariableLibrary } from './libraries/two-variable.ts';
export { urlsLibrary } from './libraries/urls.ts';
export { versionsLibrary } from './libraries/versions.ts';
export { type Bindings, Suspension } from './plan/frame.ts';
export { buildMap } from './plan/plan-literal.ts';
export { type EvaluateOptions, type Evaluation, Program } from './plan/program.ts';
// Custom libraries.
export { MAXIMUM_EXPRESSIONS } from './rules/maximum-expressions.ts';
// Validation rules of schemas.
export {
  type CompiledExpression,
  type CompiledRule,
  compileRule,
  type RuleBindings,
  type RuleScope,
  ruleBindings,
} from './rules/rule.ts';
export {
  evaluateRules,
  evaluateRulesSteps,
  type RuleBudget,
  type RuleFailure,
  type RuleInput,
  ruleLimits,
} from './rules/rule-evaluation.ts';
export {
  compileRuleTree,
  evaluateRuleTree,
  type PathStep,
  type PlacedFailure,
  type RuleTree,
  type RuleTreeInput,
} from './rules/rule-tree.ts';
export { type Vetting, vetExpression } from './rules/vet-expression.ts';
// Syntax trees.
export {
  type CallNode,
  type ComprehensionNode,
  type ConstantNode,
  type Expression,
  type IdentifierNode,
  type ListNode,
  type MacroCall,
  type MapEntry,
  type MapNode,
  type MessageField,
  type MessageNode,
  Operator,
  type ParsedExpression,
  type SelectNode,
} from './syntax/ast.ts';
export { MacroError } from './syntax/macro-error.ts';
export type { Macro } from './syntax/macros.ts';
export type { NodeFactory } from './syntax/node-factory.ts';
export type { ParseOptions, ParseResult } from './syntax/parse-options.ts';
export { parse } from './syntax/parser.ts';
export { escapeProperty, isKeyword, unescapeProperty } from './syntax/property-names.ts';
export { type Issue, issuesText, issueText, type Location } from './syntax/source.ts';
export { unparse } from './syntax/unparse.ts';
export { valuesEqual } from './values/equality.ts';
// Values during evaluation.
export { CelMap, isMap, type MapKey, MapValue, mapGet, mapKeyOf, mapKeys } from './values/maps.ts';
export { misplacedType, misplacedTypeIn } from './values/misplaced-type.ts';
export { CidrValue, IpValue } from './values/network.ts';
export { fixedText } from './values/number-format.ts';
export { toInt } from './values/numbers.ts';
export { durationText, parseDuration, parseTimestamp, timestampText } from './values/time.ts';
export { toJson } from './values/to-json.ts';
export { parseUrlReference, type UrlParts, urlReferenceError } from './values/url.ts';
export {
  Boxed,
  Double,
  Duration,
  EvaluationError,
  ListValue,
  listItems,
  NONE,
  ObjectValue,
  Opaque,
  Optional,
  Timestamp,
  TypeValue,
  toDouble,
  typeOfValue,
  Uint,
  type Value,
} from './values/values.ts';
