import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Vocabulary } from '@ashlar/core';
import { readAdmissionConfiguration } from '../../admission/admission-configuration.ts';
import { isDefaultAdmissionPlugin, isOptInAdmissionPlugin } from '../../admission/admission-plugin-names.ts';
import type { ApiServerOptions } from '../../assembly/api-server.ts';
import type { ServeFlags } from '../flags/serve-flags.ts';
import { UsageError } from '../usage-error.ts';

const FILE = 'admission-control-config-file';

type AdmissionOptions = Pick<
  ApiServerOptions,
  'enabledAdmissionPlugins' | 'disabledAdmissionPlugins' | 'admissionConfiguration'
>;

/** Which admission plugins flags select, and how a file configures them. @throws UsageError */
export function admissionOf(flags: ServeFlags, vocabulary: Vocabulary): AdmissionOptions {
  const enabled = flags['enable-admission-plugins'] ?? [];
  const disabled = flags['disable-admission-plugins'] ?? [];
  const both = enabled.find((plugin) => disabled.includes(plugin));
  if (both)
    throw new UsageError(
      `flag --disable-admission-plugins: ${both} is enabled by --enable-admission-plugins`,
    );
  const file = flags[FILE];
  return {
    enabledAdmissionPlugins: enabled.filter(isOptInAdmissionPlugin),
    disabledAdmissionPlugins: disabled.filter(isDefaultAdmissionPlugin),
    ...(file !== undefined && { admissionConfiguration: configurationIn(file, vocabulary) }),
  };
}

function configurationIn(
  file: string,
  vocabulary: Vocabulary,
): NonNullable<AdmissionOptions['admissionConfiguration']> {
  try {
    const readFile = (path: string): Uint8Array => readFileSync(resolve(dirname(file), path));
    return readAdmissionConfiguration(readFileSync(file), { vocabulary, readFile });
  } catch (error) {
    throw new UsageError(`flag --${FILE}: ${file}: ${(error as Error).message}`);
  }
}
