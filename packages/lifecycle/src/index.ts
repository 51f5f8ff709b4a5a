export type { ApiChange, Breakage, SchemaChange } from './api-change.ts';
export {
  type ComparedDefinition,
  type ComparedVersion,
  compareDefinitions,
} from './compare-definitions.ts';
export { compareSchemas } from './compare-schemas.ts';
export { defaultFeatureGates, type FeatureGates, parseFeatureGates } from './feature-gates.ts';
export type {
  ApiRelease,
  ElementKind,
  ElementStage,
  HistoryFinding,
  ReleasedDefinition,
  ReleasedElement,
  ReleasedVersion,
} from './history/api-release.ts';
export { checkApiHistory } from './history/check-api-history.ts';
export {
  type FeatureGate,
  type FeatureGateName,
  type FeatureStage,
  featureGatesOf,
  knownFeatureGates,
} from './known-feature-gates.ts';
export {
  type FindingKind,
  type FindWithdrawnOptions,
  findWithdrawn,
  type ManifestFinding,
  type Replacement,
  vocabularyOf,
} from './manifests/find-withdrawn.ts';
export { definitionWarning, type WarnedDefinition } from './releases/definition-warning.ts';
export { deprecationWarning } from './releases/deprecation-warning.ts';
export {
  compareReleases,
  parseRelease,
  type Release,
  releaseText,
  requireRelease,
} from './releases/release.ts';
export {
  marksOf,
  type ReleasedResource,
  type ReleaseHistory,
  type ReleaseSpan,
  releaseHistory,
  type TypeMarks,
  type VersionedKind,
} from './releases/release-history.ts';
export { type GroupResources, withoutRemoved } from './releases/removed-resources.ts';
export {
  applyRuntimeConfig,
  type ConfiguredApis,
  type ConfiguredVersions,
  type RuntimeConfigFlag,
  RuntimeConfigSyntaxError,
  readRuntimeConfig,
  runtimeConfigErrors,
} from './releases/runtime-config.ts';
export {
  type DiscoveredResource,
  type ReleasedVersions,
  resourcesOfRelease,
  versionsOfRelease,
} from './releases/served-versions.ts';
export { type RemovalOptions, type TypeState, typeState } from './releases/type-state.ts';
export { isSendable, warningHeader } from './releases/warning-header.ts';
