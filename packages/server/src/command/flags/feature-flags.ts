import {
  type FeatureGates,
  featureGatesOf,
  knownFeatureGates,
  parseFeatureGates,
  parseRelease,
  releaseText,
} from '@ashlar/lifecycle';
import type { RuntimeConfig } from '../../assembly/runtime-config.ts';
import { serverVersion } from '../../assembly/server-version.ts';
import { UsageError } from '../usage-error.ts';
import { FEATURES } from './flag-groups.ts';
import { integer, list, toggle } from './flag-kinds.ts';
import type { Flag, FlagTableOf } from './flags.ts';
import { readRuntimeConfigFlag } from './runtime-config-flag.ts';

/** The release before the one whose behavior the server has. */
const PREVIOUS = `${serverVersion.major}.${Number(serverVersion.minor) - 1}`;

/** Flags that enable and disable features and API versions. */
export interface FeatureFlags {
  readonly 'feature-gates'?: FlaggedFeatureGates;
  readonly 'runtime-config'?: RuntimeConfig;
  readonly resources?: readonly string[];
  readonly emulate?: string;
  readonly 'emulated-version'?: string;
  readonly 'apiserver-count'?: number;
  readonly 'deprecation-warnings'?: boolean;
  readonly profiling?: boolean;
  readonly 'show-hidden-metrics-for-version'?: string;
}

interface FlaggedFeatureGates extends FeatureGates {
  /** The text of the flag: named gates take precedence over AllAlpha and AllBeta, in any order. */
  readonly text: string;
}

const flaggedFeatureGates = (text: string): FlaggedFeatureGates => ({ text, ...parseFeatureGates(text) });

const featureGates: Flag<FlaggedFeatureGates> = {
  group: FEATURES,
  value: 'NAME=true|false,…',
  meaning: `feature gates to set, of ${changeableGates()}; AllAlpha and AllBeta set all of a stage; ${lockedGates()} have no effect any more`,
  parse: flaggedFeatureGates,
  join: (first, second) => flaggedFeatureGates(`${first.text},${second.text}`),
};

/**
 * Returns the gates of a server: with `--emulate`, those of that release.
 * @throws UsageError for a gate that the emulated release does not have
 */
export function featureGatesFrom(flags: FeatureFlags): FeatureGates | undefined {
  const release = emulatedReleaseOf(flags);
  const gates = flags['feature-gates'];
  if (release === undefined) return gates;
  try {
    return parseFeatureGates(gates?.text ?? '', featureGatesOf(release), release);
  } catch (error) {
    throw new UsageError(`flag --feature-gates: ${(error as Error).message}`);
  }
}

/**
 * Returns the release that a server emulates, if any.
 * @throws UsageError for two different ones
 */
export function emulatedReleaseOf(flags: FeatureFlags): string | undefined {
  const { emulate: release, 'emulated-version': version } = flags;
  if (release !== undefined && version !== undefined && release !== version)
    throw new UsageError(
      `flags --emulate and --emulated-version are two releases, ${release} and ${version}`,
    );
  return release ?? version;
}

const runtimeConfig: Flag<RuntimeConfig> = {
  group: FEATURES,
  value: 'GROUP/VERSION[/RESOURCE][=true|false],…',
  meaning:
    'API versions and resources to enable or disable, or api/all, api/ga, api/beta, api/alpha for all of a stage; can be repeated',
  parse: readRuntimeConfigFlag,
  join: (first, second) => new Map([...first, ...second]),
};

const emulate: Flag<string> = {
  group: FEATURES,
  value: 'RELEASE',
  meaning:
    'serve the API versions of another release, 1.16 to 1.32, with its warnings, to try what will break',
  parse(argument) {
    const release = parseRelease(argument);
    if (!release) throw new Error(`${JSON.stringify(argument)} is no release such as 1.25`);
    return releaseText(release);
  },
};

/** Lists the gates that can be set, with stage and default. */
function changeableGates(): string {
  const gates = Object.entries(knownFeatureGates).filter(([, { locked }]) => !locked);
  return gates.map(([name, { stage, default: on }]) => `${name} (${stage}, ${on ? 'on' : 'off'})`).join(', ');
}

/** Lists the gates that are not operational. */
function lockedGates(): string {
  const gates = Object.entries(knownFeatureGates).filter(([, { locked }]) => locked);
  return gates.map(([name]) => name).join(', ');
}

export const featureFlags: FlagTableOf<FeatureFlags> = {
  'feature-gates': featureGates,
  'runtime-config': runtimeConfig,
  resources: list(
    FEATURES,
    'FILE,…',
    'custom resource definitions in YAML or JSON, stored and served before the server is ready; can be repeated',
  ),
  emulate,
  'emulated-version': {
    ...emulate,
    value: '[COMPONENT=]RELEASE',
    meaning: 'the same as --emulate, in the form that other servers accept',
    parse: (argument) => emulate.parse(argument.replace(/^[a-z]+=/, '')),
  },
  'apiserver-count': {
    ...integer(
      FEATURES,
      'COUNT',
      'number of servers of a cluster; has no effect, since servers count themselves',
      1_000_000,
      1,
    ),
    deprecated: 'apiserver-count is deprecated and will be removed in a future version.',
  },
  'deprecation-warnings': toggle(FEATURES, 'warn about deprecated flags that are given (default true)'),
  profiling: toggle(FEATURES, 'serve profiles of the program at /debug/pprof/ (default true)'),
  'show-hidden-metrics-for-version': {
    group: FEATURES,
    value: PREVIOUS,
    meaning: 'the previous release, to see metrics that this one hides because they are deprecated',
    parse(argument) {
      if (argument !== PREVIOUS)
        throw new Error(
          `--show-hidden-metrics-for-version must be omitted or have the value '${PREVIOUS}'. Only the previous minor version is allowed`,
        );
      return argument;
    },
  },
};
