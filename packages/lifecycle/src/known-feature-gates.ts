/** Maturity of a feature; the gate of a stable one has no effect any more. */
export type FeatureStage = 'alpha' | 'beta' | 'stable' | 'deprecated';

/** One gate in this release. */
export interface FeatureGate {
  readonly stage: FeatureStage;
  /** Whether the feature is enabled by default. */
  readonly default: boolean;
  /** A locked gate, as those of stable features are before they are removed. */
  readonly locked?: boolean;
}

/** Gates that affect a server. */
export type FeatureGateName =
  | 'AllowUnsafeMalformedObjectDeletion'
  | 'APIResponseCompression'
  | 'CBORServingAndStorage'
  | 'MutatingAdmissionPolicy'
  | 'RemoteRequestHeaderUID';

/**
 * Every gate of `--feature-gates`. All others are unknown: removed gates are rejected like those that never
 * existed (semantics/lifecycle#runtime-configuration-and-gates).
 */
export const knownFeatureGates: Readonly<Record<string, FeatureGate>> = {
  APIListChunking: { stage: 'stable', default: true, locked: true },
  APIResponseCompression: { stage: 'beta', default: true },
  AggregatedDiscoveryEndpoint: { stage: 'stable', default: true, locked: true },
  AllowUnsafeMalformedObjectDeletion: { stage: 'alpha', default: false },
  CBORServingAndStorage: { stage: 'alpha', default: false },
  MutatingAdmissionPolicy: { stage: 'alpha', default: false },
  RemainingItemCount: { stage: 'stable', default: true, locked: true },
  RemoteRequestHeaderUID: { stage: 'alpha', default: false },
  RetryGenerateName: { stage: 'stable', default: true, locked: true },
  WatchBookmark: { stage: 'stable', default: true, locked: true },
} satisfies Record<FeatureGateName, FeatureGate> & Record<string, FeatureGate>;
