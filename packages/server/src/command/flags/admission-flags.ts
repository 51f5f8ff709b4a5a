import {
  DEFAULT_ADMISSION_PLUGINS,
  type DefaultAdmissionPlugin,
} from '../../assembly/default-admission-plugins.ts';
import { ACCESS } from './flag-groups.ts';
import { names } from './flag-kinds.ts';
import type { FlagTableOf } from './flags.ts';

/** Admission plugins that are off by default. */
const PLUGINS = ['NodeRestriction', 'ServiceAccount'] as const;
type OptionalPlugin = (typeof PLUGINS)[number];

/** Flags of admission. */
export interface AdmissionFlags {
  readonly 'enable-admission-plugins'?: readonly OptionalPlugin[];
  readonly 'disable-admission-plugins'?: readonly DefaultAdmissionPlugin[];
}

export const admissionFlags: FlagTableOf<AdmissionFlags> = {
  'enable-admission-plugins': names(
    ACCESS,
    `admission plugins to enable in addition to the default ones, any of ${PLUGINS.join(', ')}`,
    PLUGINS,
    (plugin) => `unknown admission plugin ${plugin}; known plugins are ${PLUGINS.join(', ')}`,
  ),
  'disable-admission-plugins': names(
    ACCESS,
    `admission plugins to disable, any of ${DEFAULT_ADMISSION_PLUGINS.join(', ')}`,
    DEFAULT_ADMISSION_PLUGINS,
    (plugin) =>
      `unknown admission plugin ${plugin}; known plugins are ${DEFAULT_ADMISSION_PLUGINS.join(', ')}`,
  ),
};
