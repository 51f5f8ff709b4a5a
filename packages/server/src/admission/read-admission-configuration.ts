import { groupName } from '@ashlar/core';
import type { AdmissionConfiguration, ReadConfigurationOptions } from './admission-configuration.ts';
import { checkFields, readKind } from './configuration-documents.ts';
import { PLUGIN_CONFIGURATIONS } from './plugin-configurations.ts';

/**
 * Reads an `AdmissionConfiguration`, JSON or YAML: configurations of plugins by name, inside it or in files of their own.
 * @throws Error if it is malformed, has unknown fields, or configures a plugin that cannot be configured
 */
export function readAdmissionConfiguration(
  document: Uint8Array,
  options: ReadConfigurationOptions,
): AdmissionConfiguration {
  const { vocabulary, readFile } = options;
  const config = groupName(vocabulary, 'apiserver.config.');
  const versions = [`${config}/v1`, `${groupName(vocabulary, 'apiserver.')}/v1alpha1`];
  const { plugins = [] } = readKind(document, 'AdmissionConfiguration', versions, ['plugins']);
  if (!Array.isArray(plugins)) throw new Error('plugins must be a list');
  const read = plugins.map((plugin, i) => {
    const { name, path, configuration } = checkFields(plugin, `plugins[${i}].`, [
      'name',
      'path',
      'configuration',
    ]);
    const content =
      configuration !== undefined && configuration !== null
        ? new TextEncoder().encode(JSON.stringify(configuration))
        : typeof path === 'string' && path !== ''
          ? readFile(path)
          : undefined;
    return [name, content && configurationOf(String(name), content, options)] as const;
  });
  return Object.fromEntries(read.filter(([, value]) => value !== undefined)) as AdmissionConfiguration;
}

function isConfigurable(name: string): name is keyof typeof PLUGIN_CONFIGURATIONS {
  return Object.hasOwn(PLUGIN_CONFIGURATIONS, name);
}

/** @throws Error */
function configurationOf(
  name: string,
  content: Uint8Array,
  options: ReadConfigurationOptions,
): AdmissionConfiguration[keyof AdmissionConfiguration] {
  if (isConfigurable(name)) return PLUGIN_CONFIGURATIONS[name](content, options);
  const names = Object.keys(PLUGIN_CONFIGURATIONS);
  throw new Error(
    `admission plugin ${name} cannot be configured; ${names.slice(0, -1).join(', ')} and ${names.at(-1)} can`,
  );
}
