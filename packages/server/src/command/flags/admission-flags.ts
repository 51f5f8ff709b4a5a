import { ACCESS } from './flag-groups.ts';
import { names } from './flag-kinds.ts';
import type { FlagTableOf } from './flags.ts';

/** Admission plugins that are asked for by name; the others are always there. */
const PLUGINS = ['NodeRestriction', 'ServiceAccount'] as const;
type OptionalPlugin = (typeof PLUGINS)[number];

/** What checks and changes objects beside the plugins that are always there. */
export interface AdmissionFlags {
  readonly 'enable-admission-plugins'?: readonly OptionalPlugin[];
}

export const admissionFlags: FlagTableOf<AdmissionFlags> = {
  'enable-admission-plugins': names(
    ACCESS,
    `admission plugins that are off by default, of ${PLUGINS.join(', ')}`,
    PLUGINS,
    (plugin) => `${plugin} is no admission plugin that can be enabled; there are ${PLUGINS.join(', ')}`,
  ),
};
