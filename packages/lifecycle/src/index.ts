export type { ApiChange, Breakage, SchemaChange } from './lib/api-change.ts';
export {
  type ComparedDefinition,
  type ComparedVersion,
  compareDefinitions,
} from './lib/compare-definitions.ts';
export { compareSchemas } from './lib/compare-schemas.ts';
export { defaultFeatureGates, type FeatureGates, parseFeatureGates } from './lib/feature-gates.ts';
export {
  type FeatureGate,
  type FeatureGateName,
  type FeatureStage,
  knownFeatureGates,
} from './lib/known-feature-gates.ts';
