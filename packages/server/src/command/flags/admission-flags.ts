import { ACCESS } from './flag-groups.ts';
import { names } from './flag-kinds.ts';
import type { FlagTableOf } from './flags.ts';

/** Admission plugins that are off by default; all others are always on. */
const PLUGINS = ['NodeRestriction', 'ServiceAccount'] as const;
type OptionalPlugin = (typeof PLUGINS)[number];

/** Flags of admission. */
export interface AdmissionFlags {
  readonly 'enable-admission-plugins'?: readonly OptionalPlugin[];
}

export const admissionFlags: FlagTableOf<AdmissionFlags> = {
  'enable-admission-plugins': names(
    ACCESS,
    `admission plugins to enable in addition to the default ones, any of ${PLUGINS.join(', ')}`,
    PLUGINS,
    (plugin) => `unknown admission plugin ${plugin}; known plugins are ${PLUGINS.join(', ')}`,
  ),
};
