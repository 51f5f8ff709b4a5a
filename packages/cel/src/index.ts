// Expressions: make an environment, compile, evaluate.

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
} from './lib/ast.ts';
export type { CheckedExpression, CheckResult, Reference } from './lib/checker.ts';
// Costs.
export {
  type CallCost,
  type CostModel,
  fixedCost,
  ofResult,
  readsFirst,
  sizeOf,
  specificationCosts,
  upstreamCosts,
} from './lib/cost-model.ts';
export type { ObjectType, ObjectTypeLookup } from './lib/declaration-scope.ts';
// Libraries of one's own.
export {
  type FunctionDeclaration,
  type Implementation,
  type Library,
  method,
  type Overload,
  type OverloadCost,
  overload,
} from './lib/declarations.ts';
export {
  type Compilation,
  createEnvironment,
  defineFunction,
  defineType,
  type Environment,
  type EnvironmentOptions,
  type ProgramOptions,
} from './lib/environment.ts';
export { valuesEqual } from './lib/equality.ts';
export type { Estimate } from './lib/estimate.ts';
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
} from './lib/estimate-model.ts';
export { type Bindings, Suspension } from './lib/frame.ts';
// Libraries of functions.
export { aggregatesLibrary } from './lib/libraries/aggregates.ts';
export {
  type AuthorizationTypes,
  authorizationLibrary,
  authorizationSelectorsLibrary,
  authorizationTypes,
  authorizerValue,
  type RequestResource,
  requestResourceValue,
} from './lib/libraries/authorization.ts';
export { encodersLibrary } from './lib/libraries/encoders.ts';
export { formatsLibrary } from './lib/libraries/formats.ts';
export { jsonPatchLibrary } from './lib/libraries/json-patch.ts';
export { listsLibrary } from './lib/libraries/lists.ts';
export { mathLibrary } from './lib/libraries/math.ts';
export { cidrLibrary, ipLibrary, type NetworkWording } from './lib/libraries/network.ts';
export { optionalLibrary } from './lib/libraries/optionals.ts';
export { patternsLibrary } from './lib/libraries/patterns.ts';
export { quantitiesLibrary } from './lib/libraries/quantities.ts';
export { setsLibrary } from './lib/libraries/sets.ts';
export { standardLibrary } from './lib/libraries/standard.ts';
export { stringsLibrary } from './lib/libraries/strings.ts';
export { replacedSize } from './lib/libraries/text-costs.ts';
export { twoVariableLibrary } from './lib/libraries/two-variable.ts';
export { urlsLibrary } from './lib/libraries/urls.ts';
export { versionsLibrary } from './lib/libraries/versions.ts';
export { type Macro, MacroError, VARIABLE_ARGUMENTS } from './lib/macros.ts';
export { addressText, CidrValue, type IpAddress, type IpPrefix, IpValue } from './lib/network.ts';
export type { NodeFactory } from './lib/node-factory.ts';
export { toInt } from './lib/numbers.ts';
export { type ParseOptions, type ParseResult, parse } from './lib/parser.ts';
export { buildMap } from './lib/plan-literal.ts';
export {
  type PolicyTypeChecker,
  type PolicyTypeOptions,
  type PolicyVariable,
  policyTypeChecker,
} from './lib/policy-types.ts';
export { type EvaluateOptions, type Evaluation, Program } from './lib/program.ts';
export { escapeProperty, unescapeProperty } from './lib/property-names.ts';
export {
  accessReviewDeclarations,
  claimsDeclarations,
  defineObjectType,
  type PolicyVariables,
  policyDeclarations,
  userDeclarations,
} from './lib/request-types.ts';
// Validation rules of schemas.
export {
  type CompiledExpression,
  type CompiledRule,
  compileRule,
  type RuleBindings,
  type RuleScope,
  ruleBindings,
} from './lib/rule.ts';
export {
  evaluateRules,
  evaluateRulesSteps,
  type RuleBudget,
  type RuleFailure,
  type RuleInput,
  ruleLimits,
} from './lib/rule-evaluation.ts';
export {
  compileRuleTree,
  evaluateRuleTree,
  evaluateRuleTreeSteps,
  type PathStep,
  type PlacedFailure,
  type RuleTree,
  type RuleTreeInput,
} from './lib/rule-tree.ts';
export {
  maxOccurrences,
  objectTypesOf,
  type SchemaField,
  type SchemaType,
  type SchemaTypeOptions,
  schemaType,
  sizeHintsOf,
  withTypeAndName,
} from './lib/schema-type.ts';
export { schemaValue } from './lib/schema-value.ts';
// Environments of servers, by release and use.
export {
  type EnvironmentSet,
  environmentSet,
  type Release,
  type ServerEnvironmentOptions,
  serverEnvironment,
} from './lib/server-environment.ts';
export { type Issue, issuesText, issueText, type Location, locationOf } from './lib/source.ts';
export { durationText, parseDuration, parseTimestamp, timestampText } from './lib/time.ts';
export { toJson } from './lib/to-json.ts';
export { type CelType, sameType, type TypeKind, types, typeText } from './lib/types.ts';
export { unparse } from './lib/unparse.ts';
export { parseUrlReference, type UrlParts } from './lib/url.ts';
// Values while an expression runs.
export {
  Boxed,
  CelMap,
  Double,
  Duration,
  EvaluationError,
  isMap,
  ListValue,
  listItems,
  type MapKey,
  MapValue,
  mapGet,
  mapKeyOf,
  mapKeys,
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
} from './lib/values.ts';
export { type Vetting, vetExpression } from './lib/vet-expression.ts';
