import {
  DEFAULT_ADMISSION_PLUGINS,
  type DefaultAdmissionPlugin,
  OPT_IN_ADMISSION_PLUGINS,
  type OptInAdmissionPlugin,
} from '../../admission/admission-plugin-names.ts';
import { PLUGIN_CONFIGURATIONS } from '../../admission/plugin-configurations.ts';
import { ACCESS } from './flag-groups.ts';
import { integer, names, text, toggle } from './flag-kinds.ts';
import type { Flag, FlagTableOf } from './flags.ts';

/** Admission plugins that a flag may name. */
type KnownPlugin = OptInAdmissionPlugin | DefaultAdmissionPlugin;
const KNOWN: readonly KnownPlugin[] = [...OPT_IN_ADMISSION_PLUGINS, ...DEFAULT_ADMISSION_PLUGINS];

/** Flags of admission. */
export interface AdmissionFlags {
  readonly 'enable-admission-plugins'?: readonly KnownPlugin[];
  readonly 'disable-admission-plugins'?: readonly KnownPlugin[];
  readonly 'admission-control-config-file'?: string;
  readonly 'explain-denials'?: boolean;
  readonly 'allow-privileged'?: true;
  readonly 'default-not-ready-toleration-seconds'?: number;
  readonly 'default-unreachable-toleration-seconds'?: number;
}

const unknownPlugin = (plugin: string): string =>
  `unknown admission plugin ${plugin}; known plugins are ${KNOWN.join(', ')}`;

const tolerationSeconds = (fault: string): Flag<number> =>
  integer(
    ACCESS,
    'SECONDS',
    `how long pods that do not say it themselves stay on a node that ${fault}, if DefaultTolerationSeconds is enabled (default 300)`,
    Number.MAX_SAFE_INTEGER,
  );

export const admissionFlags: FlagTableOf<AdmissionFlags> = {
  'admission-control-config-file': text(
    ACCESS,
    'FILE',
    `an AdmissionConfiguration with the configurations of ${Object.keys(PLUGIN_CONFIGURATIONS).join(', ')}`,
  ),
  'allow-privileged': {
    ...{ group: ACCESS, meaning: 'accept privileged containers, as this server always does' },
    parse(argument) {
      if (argument === 'true') return true;
      if (argument !== 'false') throw new Error(`${argument} is neither true nor false`);
      throw new Error('privileged containers are always accepted; the levels of PodSecurity refuse them');
    },
  },
  'default-not-ready-toleration-seconds': tolerationSeconds('is not ready'),
  'default-unreachable-toleration-seconds': tolerationSeconds('is unreachable'),
  'explain-denials': toggle(
    ACCESS,
    'tell members of system:masters in the causes of a denied request which plugin, webhook or policy refused, and the values of its expressions',
  ),
  'enable-admission-plugins': names(
    ACCESS,
    `admission plugins to enable in addition to the default ones, such as ${OPT_IN_ADMISSION_PLUGINS.join(', ')}`,
    KNOWN,
    unknownPlugin,
  ),
  'disable-admission-plugins': names(
    ACCESS,
    `admission plugins to disable, of the default ones ${DEFAULT_ADMISSION_PLUGINS.join(', ')}`,
    KNOWN,
    unknownPlugin,
  ),
};
