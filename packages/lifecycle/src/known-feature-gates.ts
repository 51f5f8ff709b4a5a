/** How far a feature has come; the gate of one that has come all the way does nothing any more. */
export type FeatureStage = 'alpha' | 'beta' | 'stable' | 'deprecated';

/** One gate as this release knows it. */
export interface FeatureGate {
  readonly stage: FeatureStage;
  /** Whether the feature is enabled by default. */
  readonly default: boolean;
  /** A gate that stays as it is, which is how the gates of stable features end before they are removed. */
  readonly locked?: boolean;
}

/** Gates that something in a server asks for. */
export type FeatureGateName = 'APIResponseCompression' | 'CBORServingAndStorage' | 'RemoteRequestHeaderUID';

/**
 * Every gate that `--feature-gates` takes. One that is not in the table is unknown: removed gates are rejected like those
 * that never were (semantics/lifecycle#runtime-configuration-and-gates).
 */
export const knownFeatureGates: Readonly<Record<string, FeatureGate>> = {
  APIListChunking: { stage: 'stable', default: true, locked: true },
  APIResponseCompression: { stage: 'beta', default: true },
  AggregatedDiscoveryEndpoint: { stage: 'stable', default: true, locked: true },
  CBORServingAndStorage: { stage: 'alpha', default: false },
  RemainingItemCount: { stage: 'stable', default: true, locked: true },
  RemoteRequestHeaderUID: { stage: 'alpha', default: false },
  RetryGenerateName: { stage: 'stable', default: true, locked: true },
  WatchBookmark: { stage: 'stable', default: true, locked: true },
} satisfies Record<FeatureGateName, FeatureGate> & Record<string, FeatureGate>;
