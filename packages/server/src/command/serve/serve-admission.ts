import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Vocabulary } from '@ashlar/core';
import {
  CONFIGURED_PLUGINS,
  isDefaultAdmissionPlugin,
  isOptInAdmissionPlugin,
} from '../../admission/admission-plugin-names.ts';
import { readAdmissionConfiguration } from '../../admission/read-admission-configuration.ts';
import type { ApiServerOptions } from '../../assembly/api-server-options.ts';
import type { ServeFlags } from '../flags/serve-flags.ts';
import { UsageError } from '../usage-error.ts';
import type { WebhookConnections } from '../webhook-connections.ts';

const FILE = 'admission-control-config-file';

type AdmissionOptions = Pick<
  ApiServerOptions,
  'enabledAdmissionPlugins' | 'disabledAdmissionPlugins' | 'admissionConfiguration' | 'explainDenials'
>;

/**
 * Which admission plugins flags select, and how a file configures them.
 * @param connections opens the client configurations that the file names
 * @throws UsageError
 */
export function admissionOf(
  flags: ServeFlags,
  vocabulary: Vocabulary,
  connections: WebhookConnections,
): AdmissionOptions {
  const enabled = flags['enable-admission-plugins'] ?? [];
  const disabled = flags['disable-admission-plugins'] ?? [];
  const both = enabled.find((plugin) => disabled.includes(plugin));
  if (both)
    throw new UsageError(
      `flag --disable-admission-plugins: ${both} is enabled by --enable-admission-plugins`,
    );
  const file = flags[FILE];
  const configuration = file === undefined ? {} : configurationIn(file, vocabulary, connections);
  const silent = CONFIGURED_PLUGINS.find((plugin) => enabled.includes(plugin) && !configuration[plugin]);
  if (silent)
    throw new UsageError(`flag --enable-admission-plugins: ${silent} needs a configuration by --${FILE}`);
  return {
    enabledAdmissionPlugins: enabled.filter(isOptInAdmissionPlugin),
    disabledAdmissionPlugins: disabled.filter(isDefaultAdmissionPlugin),
    admissionConfiguration: { ...configuration, ...tolerationSecondsOf(flags) },
    explainDenials: flags['explain-denials'] ?? false,
  };
}

/** How long pods stay on a node that fails. */
function tolerationSecondsOf(
  flags: ServeFlags,
): Pick<NonNullable<AdmissionOptions['admissionConfiguration']>, 'DefaultTolerationSeconds'> {
  const notReady = flags['default-not-ready-toleration-seconds'];
  const unreachable = flags['default-unreachable-toleration-seconds'];
  if (notReady === undefined && unreachable === undefined) return {};
  return {
    DefaultTolerationSeconds: {
      ...(notReady !== undefined && { notReady }),
      ...(unreachable !== undefined && { unreachable }),
    },
  };
}

function configurationIn(
  file: string,
  vocabulary: Vocabulary,
  connections: WebhookConnections,
): NonNullable<AdmissionOptions['admissionConfiguration']> {
  try {
    return readAdmissionConfiguration(readFileSync(file), {
      vocabulary,
      readFile: (path) => readFileSync(resolve(dirname(file), path)),
      openConnection: (name) => connections.open(FILE, name),
      openUsers: (name) => connections.openUsers(FILE, name),
    });
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`flag --${FILE}: ${file}: ${(error as Error).message}`);
  }
}
