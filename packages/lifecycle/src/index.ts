export type { ApiChange, Breakage, SchemaChange } from './api-change.ts';
export {
  type ComparedDefinition,
  type ComparedVersion,
  compareDefinitions,
} from './compare-definitions.ts';
export { compareSchemas } from './compare-schemas.ts';
export { defaultFeatureGates, type FeatureGates, parseFeatureGates } from './feature-gates.ts';
export {
  type FeatureGate,
  type FeatureGateName,
  type FeatureStage,
  knownFeatureGates,
} from './known-feature-gates.ts';
