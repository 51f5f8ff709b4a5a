import { type Ambient, type ApiObject, Metrics, orchVocabulary, printErrors } from '@ashlar/core';
import { nodeAmbient } from '@ashlar/http-node';
import { defaultFeatureGates, type FeatureGates, featureGatesOf, parseFeatureGates } from '@ashlar/lifecycle';
import type { ApiServerOptions } from './api-server-options.ts';
import { serverVersion } from './server-version.ts';

/** Options of a server with those defaults applied that more than one of its parts needs. */
export type ApiServerSettings = ApiServerOptions & {
  readonly ambient: Ambient;
  readonly featureGates: FeatureGates;
  readonly onError: NonNullable<ApiServerOptions['onError']>;
  /** The only groups that callers see; a server behind another one has no others to offer. Default: all. */
  readonly publishedGroups?: ReadonlySet<string>;
  /** Reads namespaces that are not stored here but in a cluster. */
  readonly namespaceOf?: NamespaceLookup;
};

type NamespaceLookup = (
  name: string,
  options: { readonly allowCached: boolean },
) => Promise<ApiObject | undefined>;

export function serverSettings(options: ApiServerOptions): ApiServerSettings {
  const vocabulary = options.vocabulary ?? options.ambient?.vocabulary ?? orchVocabulary;
  const ambient = options.ambient ?? nodeAmbient(vocabulary);
  const { emulation, onError = printErrors('server') } = options;
  const featureGates = options.featureGates ?? gatesOf(emulation?.release);
  return { ...options, onError, featureGates, ambient: { ...ambient, vocabulary } };
}

/** The default gates of a release. */
const gatesOf = (release: string | undefined): FeatureGates =>
  release === undefined ? defaultFeatureGates : parseFeatureGates('', featureGatesOf(release), release);

/** The registry of a server's metrics: what is deprecated is hidden three releases later. */
export function createServerMetrics({
  emulation,
  showHiddenMetrics = false,
  onError,
}: ApiServerSettings): Metrics {
  const release = emulation?.release ?? `${serverVersion.major}.${serverVersion.minor}`;
  return new Metrics({ release, showHidden: showHiddenMetrics, warn: (text) => onError(text) });
}
