import { type FeatureGates, knownFeatureGates, parseFeatureGates } from '@ashlar/lifecycle';
import { parseRuntimeConfig, type RuntimeConfig } from '../../assembly/runtime-config.ts';
import { FEATURES } from './flag-groups.ts';
import type { Flag, FlagTableOf } from './flags.ts';

/** What is switched on or off: features by their gates, types by their groups and versions. */
export interface FeatureFlags {
  readonly 'feature-gates'?: GivenFeatureGates;
  readonly 'runtime-config'?: RuntimeConfig;
}

interface GivenFeatureGates extends FeatureGates {
  /** As they were written: the gates of a stage yield to those that are named, wherever that is. */
  readonly text: string;
}

const givenFeatureGates = (text: string): GivenFeatureGates => ({ text, ...parseFeatureGates(text) });

const featureGates: Flag<GivenFeatureGates> = {
  group: FEATURES,
  value: 'NAME=true|false,…',
  meaning: `features that are still on trial, of ${gatesOnTrial()}; AllAlpha and AllBeta for all of a stage`,
  parse: givenFeatureGates,
  join: (earlier, later) => givenFeatureGates(`${earlier.text},${later.text}`),
};

const runtimeConfig: Flag<RuntimeConfig> = {
  group: FEATURES,
  value: 'GROUP/VERSION[/RESOURCE][=true|false],…',
  meaning: 'versions of groups, and resources of them, that are switched on or off; can be given again',
  parse: parseRuntimeConfig,
  join: (earlier, later) => new Map([...earlier, ...later]),
};

/** Gates that can be set, each as it is by default. */
function gatesOnTrial(): string {
  const gates = Object.entries(knownFeatureGates).filter(([, { locked }]) => !locked);
  return gates.map(([name, { stage, default: on }]) => `${name} (${stage}, ${on ? 'on' : 'off'})`).join(', ');
}

export const featureFlags: FlagTableOf<FeatureFlags> = {
  'feature-gates': featureGates,
  'runtime-config': runtimeConfig,
};
