export { defaultFeatureGates, type FeatureGates, parseFeatureGates } from './lib/feature-gates.ts';
export {
  type FeatureGate,
  type FeatureGateName,
  type FeatureStage,
  knownFeatureGates,
} from './lib/known-feature-gates.ts';
