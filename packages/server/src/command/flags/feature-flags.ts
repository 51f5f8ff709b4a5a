import {
  type FeatureGates,
  knownFeatureGates,
  parseFeatureGates,
  parseRelease,
  releaseText,
} from '@ashlar/lifecycle';
import { parseRuntimeConfig, type RuntimeConfig } from '../../assembly/runtime-config.ts';
import { serverVersion } from '../../assembly/server-version.ts';
import { FEATURES } from './flag-groups.ts';
import type { Flag, FlagTableOf } from './flags.ts';

/** The release before the one whose behavior the server has. */
const PREVIOUS = `${serverVersion.major}.${Number(serverVersion.minor) - 1}`;

/** Flags that enable and disable features and API versions. */
export interface FeatureFlags {
  readonly 'feature-gates'?: GivenFeatureGates;
  readonly 'runtime-config'?: RuntimeConfig;
  readonly emulate?: string;
  readonly 'show-hidden-metrics-for-version'?: string;
}

interface GivenFeatureGates extends FeatureGates {
  /** The text of the flag: named gates take precedence over AllAlpha and AllBeta, in any order. */
  readonly text: string;
}

const givenFeatureGates = (text: string): GivenFeatureGates => ({ text, ...parseFeatureGates(text) });

const featureGates: Flag<GivenFeatureGates> = {
  group: FEATURES,
  value: 'NAME=true|false,…',
  meaning: `feature gates to set, of ${changeableGates()}; AllAlpha and AllBeta set all of a stage`,
  parse: givenFeatureGates,
  join: (first, second) => givenFeatureGates(`${first.text},${second.text}`),
};

const runtimeConfig: Flag<RuntimeConfig> = {
  group: FEATURES,
  value: 'GROUP/VERSION[/RESOURCE][=true|false],…',
  meaning: 'API versions and resources to enable or disable; can be repeated',
  parse: parseRuntimeConfig,
  join: (first, second) => new Map([...first, ...second]),
};

const emulate: Flag<string> = {
  group: FEATURES,
  value: 'RELEASE',
  meaning:
    'serve the API versions of another release, 1.16 to 1.32, with its warnings, to try what will break',
  parse(given) {
    const release = parseRelease(given);
    if (!release) throw new Error(`${JSON.stringify(given)} is no release such as 1.25`);
    return releaseText(release);
  },
};

/** Lists the gates that can be set, with stage and default. */
function changeableGates(): string {
  const gates = Object.entries(knownFeatureGates).filter(([, { locked }]) => !locked);
  return gates.map(([name, { stage, default: on }]) => `${name} (${stage}, ${on ? 'on' : 'off'})`).join(', ');
}

export const featureFlags: FlagTableOf<FeatureFlags> = {
  'feature-gates': featureGates,
  'runtime-config': runtimeConfig,
  emulate,
  'show-hidden-metrics-for-version': {
    group: FEATURES,
    value: PREVIOUS,
    meaning: 'the previous release, to see metrics that this one hides because they are deprecated',
    parse(given) {
      if (given !== PREVIOUS)
        throw new Error(
          `--show-hidden-metrics-for-version must be omitted or have the value '${PREVIOUS}'. Only the previous minor version is allowed`,
        );
      return given;
    },
  },
};
