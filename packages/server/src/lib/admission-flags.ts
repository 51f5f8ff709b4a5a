import { ACCESS } from './flag-groups.ts';
import { names } from './flag-kinds.ts';
import type { FlagTableOf } from './flags.ts';

/** Admission plugins that are asked for by name; the others are always there. */
type OptionalPlugin = 'NodeRestriction' | 'ServiceAccount';

/** What checks and changes objects beside the plugins that are always there. */
export interface AdmissionFlags {
  readonly 'enable-admission-plugins'?: readonly OptionalPlugin[];
}

const PLUGINS: readonly OptionalPlugin[] = ['NodeRestriction', 'ServiceAccount'];

export const admissionFlags: FlagTableOf<AdmissionFlags> = {
  'enable-admission-plugins': names(
    ACCESS,
    `admission plugins that are off by default, of ${PLUGINS.join(', ')}`,
    PLUGINS,
    (plugin) => `${plugin} is no admission plugin that can be enabled; there are ${PLUGINS.join(', ')}`,
  ),
};
