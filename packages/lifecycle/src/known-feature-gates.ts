import { compareReleases, type Release, requireRelease } from './releases/release.ts';

/** Maturity of a feature; the gate of a stable one has no effect any more. Before its first release a feature is `pre-alpha`. */
export type FeatureStage = 'pre-alpha' | 'alpha' | 'beta' | 'stable' | 'deprecated';

/** One gate in a release. */
export interface FeatureGate {
  readonly stage: FeatureStage;
  /** Whether the feature is enabled by default. */
  readonly default: boolean;
  /** A locked gate, as those of stable features are before they are removed. */
  readonly locked?: boolean;
}

/** Gates that affect a server. */
export type FeatureGateName =
  | 'AggregatedDiscoveryEndpoint'
  | 'AllowUnsafeMalformedObjectDeletion'
  | 'APIResponseCompression'
  | 'CBORServingAndStorage'
  | 'MutatingAdmissionPolicy'
  | 'RemoteRequestHeaderUID'
  | 'RetryGenerateName'
  | 'StorageVersionMigrator';

/** The first release of each stage of a gate. */
type GateHistory = Readonly<Partial<Record<'alpha' | 'beta' | 'stable', string>>>;

/** Gates whose features are always on here: they can be named, and switched nowhere. */
const ALWAYS_ON: Readonly<Record<string, GateHistory>> = {
  APIListChunking: { alpha: '1.8', beta: '1.9', stable: '1.29' },
  RemainingItemCount: { alpha: '1.15', beta: '1.16', stable: '1.29' },
  WatchBookmark: { alpha: '1.15', beta: '1.16', stable: '1.17' },
};

const HISTORIES: Readonly<Record<FeatureGateName, GateHistory>> = {
  AggregatedDiscoveryEndpoint: { alpha: '1.26', beta: '1.27', stable: '1.30' },
  AllowUnsafeMalformedObjectDeletion: { alpha: '1.32' },
  APIResponseCompression: { alpha: '1.8', beta: '1.16' },
  CBORServingAndStorage: { alpha: '1.32' },
  MutatingAdmissionPolicy: { alpha: '1.32' },
  RemoteRequestHeaderUID: { alpha: '1.32' },
  RetryGenerateName: { alpha: '1.30', beta: '1.31', stable: '1.32' },
  StorageVersionMigrator: { alpha: '1.30' },
};

const STAGES = ['stable', 'beta', 'alpha'] as const;

/**
 * Returns every gate of `--feature-gates` as it is in a release: its stage, its default, and whether it is locked. Gates of features that
 * are always on are locked in each release that has them. All other names are unknown: removed gates are rejected like those that never
 * existed (semantics/lifecycle#runtime-configuration-and-gates).
 * @param release `1.32`
 * @throws TypeError for a text that is no release
 * @example featureGatesOf('1.31').CBORServingAndStorage; // { stage: 'pre-alpha', default: false, locked: true }
 */
export function featureGatesOf(release: string): Readonly<Record<string, FeatureGate>> {
  const target = requireRelease(release);
  const gates = (
    histories: Readonly<Record<string, GateHistory>>,
    isFixed: boolean,
  ): [string, FeatureGate][] =>
    Object.entries(histories).map(([name, history]) => [name, gateIn(history, target, isFixed)]);
  return Object.fromEntries([...gates(ALWAYS_ON, true), ...gates(HISTORIES, false)].sort(byName));
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

function gateIn(history: GateHistory, release: Release, isFixed: boolean): FeatureGate {
  const stage = STAGES.find((each) => {
    const since = history[each];
    return since !== undefined && compareReleases(requireRelease(since), release) <= 0;
  });
  if (!stage) return { stage: 'pre-alpha', default: isFixed, locked: true };
  const isLocked = isFixed || stage === 'stable';
  return { stage, default: isFixed || stage !== 'alpha', ...(isLocked && { locked: true }) };
}

/** The gates of the release whose behavior a server has by default. */
export const knownFeatureGates: Readonly<Record<string, FeatureGate>> = featureGatesOf('1.32');
