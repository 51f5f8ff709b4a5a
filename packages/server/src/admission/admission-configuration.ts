import { type PodSecurityConfiguration, readPodSecurityConfiguration, type Toleration } from '@ashlar/apis';
import { decodeUtf8, jsonSerializer, yamlSerializer } from '@ashlar/codec';
import {
  fieldErrorText,
  groupName,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Vocabulary,
} from '@ashlar/core';

/** What admission plugins can be configured with. */
export interface AdmissionConfiguration {
  readonly PodSecurity?: PodSecurityConfiguration;
  /** Node selectors by namespace, such as `a=b`; `clusterDefaultNodeSelector` for those without one. */
  readonly PodNodeSelector?: Readonly<Record<string, string>>;
  /** Tolerations that pods get and may have in namespaces that say nothing else. */
  readonly PodTolerationRestriction?: {
    readonly default?: readonly Toleration[];
    readonly whitelist?: readonly Toleration[];
  };
}

export interface ReadConfigurationOptions {
  readonly vocabulary: Vocabulary;
  /** Reads a file that a configuration names, relative to its own. @throws Error */
  readonly readFile: (path: string) => Uint8Array;
}

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
    return [name, content && configurationOf(String(name), content, vocabulary)] as const;
  });
  return Object.fromEntries(read.filter(([, value]) => value !== undefined)) as AdmissionConfiguration;
}

/** @throws Error */
function configurationOf(name: string, content: Uint8Array, vocabulary: Vocabulary): JsonValue {
  if (name === 'PodSecurity') return podSecurity(content, vocabulary);
  if (name === 'PodNodeSelector') {
    const { podNodeSelectorPluginConfig = {} } = checkFields(decode(content), '', [
      'podNodeSelectorPluginConfig',
    ]);
    return checkTexts(podNodeSelectorPluginConfig, 'podNodeSelectorPluginConfig');
  }
  if (name === 'PodTolerationRestriction') {
    const version = `${groupName(vocabulary, 'podtolerationrestriction.admission.')}/v1alpha1`;
    const {
      apiVersion: _,
      kind: __,
      ...tolerations
    } = readKind(content, 'Configuration', [version], ['default', 'whitelist']);
    for (const [field, list] of Object.entries(tolerations))
      if (!Array.isArray(list) || !list.every(isJsonObject))
        throw new Error(`${field} must be a list of tolerations`);
    return tolerations;
  }
  throw new Error(
    `admission plugin ${name} cannot be configured; PodNodeSelector, PodSecurity and PodTolerationRestriction can`,
  );
}

function podSecurity(content: Uint8Array, vocabulary: Vocabulary): JsonObject {
  const group = groupName(vocabulary, 'pod-security.admission.config.');
  const versions = ['v1', 'v1beta1', 'v1alpha1'].map((version) => `${group}/${version}`);
  const fields = ['defaults', 'exemptions'];
  const { defaults = {}, exemptions = {} } = readKind(content, 'PodSecurityConfiguration', versions, fields);
  const modes = ['enforce', 'audit', 'warn'].flatMap((mode) => [mode, `${mode}-version`]);
  checkTexts(checkFields(defaults, 'defaults.', modes), 'defaults');
  const lists = checkFields(exemptions, 'exemptions.', ['namespaces', 'usernames', 'runtimeClasses']);
  for (const [field, list] of Object.entries(lists))
    if (!Array.isArray(list) || !list.every((name) => typeof name === 'string'))
      throw new Error(`exemptions.${field} must be a list of names`);
  const { errors } = readPodSecurityConfiguration({ defaults, exemptions } as PodSecurityConfiguration);
  if (errors.length > 0) throw new Error(errors.map(fieldErrorText).join(', '));
  return { defaults, exemptions };
}

/** @throws Error */
function readKind(
  document: Uint8Array,
  kind: string,
  versions: readonly string[],
  fields: readonly string[],
): JsonObject {
  const read = decode(document);
  const { kind: given, apiVersion } = isJsonObject(read) ? read : {};
  if (given !== kind || !versions.includes(String(apiVersion)))
    throw new Error(`it must be of kind ${kind} and version ${versions.join(' or ')}`);
  return checkFields(read, '', ['kind', 'apiVersion', ...fields]);
}

function decode(document: Uint8Array): JsonValue {
  const serializer = decodeUtf8(document).trimStart().startsWith('{') ? jsonSerializer : yamlSerializer;
  const { value, strictErrors } = serializer.decode(document, { strict: true });
  if (strictErrors.length > 0) throw new Error(`strict decoding error: ${strictErrors.join(', ')}`);
  return value;
}

/** @throws Error for another field */
function checkFields(value: JsonValue | undefined, path: string, fields: readonly string[]): JsonObject {
  if (!isJsonObject(value)) throw new Error(`${path.slice(0, -1) || 'it'} must be an object`);
  const unknown = Object.keys(value).filter((field) => !fields.includes(field));
  if (unknown.length === 0) return value;
  const texts = unknown.map((field) => `unknown field "${path}${field}"`);
  throw new Error(`strict decoding error: ${texts.join(', ')}`);
}

function checkTexts(value: JsonValue, path: string): JsonObject {
  const isTexts = isJsonObject(value) && Object.values(value).every((text) => typeof text === 'string');
  if (isTexts) return value;
  throw new Error(`${path} must be an object of strings`);
}
