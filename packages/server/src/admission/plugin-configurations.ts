import {
  type EventLimit,
  eventLimitErrors,
  type LimitedResource,
  type PodSecurityConfiguration,
  readPodSecurityConfiguration,
} from '@ashlar/apis';
import {
  durationText,
  type FieldError,
  FieldErrors,
  fieldErrorText,
  groupName,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '@ashlar/core';
import type {
  AdmissionConfiguration,
  ReadConfigurationOptions,
  WebhookCredentials,
} from './admission-configuration.ts';
import { checkFields, checkTexts, decode, readKind } from './configuration-documents.ts';

/** Plugins that a file can configure. */
type PluginOfFiles = Exclude<keyof AdmissionConfiguration, 'DefaultTolerationSeconds'>;

/** Reads the configuration of one plugin. @throws Error */
type ReadPlugin<N extends PluginOfFiles> = (
  content: Uint8Array,
  options: ReadConfigurationOptions,
) => NonNullable<AdmissionConfiguration[N]>;

function readWebhookAdmission(content: Uint8Array, options: ReadConfigurationOptions): WebhookCredentials {
  const group = groupName(options.vocabulary, 'apiserver.config.');
  const kinds = {
    WebhookAdmissionConfiguration: [`${group}/v1`],
    WebhookAdmission: [`${group}/v1alpha1`],
  };
  const { kubeConfigFile = '' } = readOneOf(content, kinds, ['kubeConfigFile']);
  if (typeof kubeConfigFile === 'string' && kubeConfigFile.startsWith('/'))
    return { transportTo: options.openUsers(kubeConfigFile) };
  const why = 'must be an absolute file path';
  throw new Error(fieldErrorText(FieldErrors.invalid('kubeConfigFile', kubeConfigFile, why)));
}

/** The plugins that can be configured, and how. */
export const PLUGIN_CONFIGURATIONS: {
  readonly [N in PluginOfFiles]: ReadPlugin<N>;
} = {
  EventRateLimit(content, { vocabulary }) {
    const version = `${groupName(vocabulary, 'eventratelimit.admission.')}/v1alpha1`;
    const { limits = [] } = readKind(content, 'Configuration', [version], ['limits']);
    const read = listOf(limits, 'limits', ['type', 'qps', 'burst', 'cacheSize']).map(
      ({ type = '', qps = 0, burst = 0, cacheSize = 0 }, i) => ({
        type,
        qps: int32(qps, `limits[${i}].qps`),
        burst: int32(burst, `limits[${i}].burst`),
        cacheSize: int32(cacheSize, `limits[${i}].cacheSize`),
      }),
    ) as readonly EventLimit[];
    requireNone(eventLimitErrors(read));
    return { limits: read };
  },
  ImagePolicyWebhook(content, { openConnection }) {
    const { imagePolicy = {} } = checkFields(decode(content), '', ['imagePolicy']);
    const policy = checkFields(imagePolicy, 'imagePolicy.', [
      ...['kubeConfigFile', 'allowTTL', 'denyTTL', 'retryBackoff', 'defaultAllow'],
    ]);
    const { kubeConfigFile = '', defaultAllow = false, allowTTL = 0, denyTTL = 0, retryBackoff = 0 } = policy;
    if (typeof kubeConfigFile !== 'string' || kubeConfigFile === '')
      throw new Error('imagePolicy.kubeConfigFile must be the name of a file');
    if (typeof defaultAllow !== 'boolean') throw new Error('imagePolicy.defaultAllow must be true or false');
    return {
      retryMilliseconds: scaled(retryBackoff, 'retryBackoff', {
        unit: 1,
        least: 1,
        most: FIVE_MINUTES,
        usual: 500,
      }),
      allowMilliseconds: scaled(allowTTL, 'allowTTL', { ...CACHE, usual: FIVE_MINUTES }),
      denyMilliseconds: scaled(denyTTL, 'denyTTL', { ...CACHE, usual: 30_000 }),
      defaultAllow,
      ...openConnection(kubeConfigFile),
    };
  },
  MutatingAdmissionWebhook: readWebhookAdmission,
  PodNodeSelector(content) {
    const field = 'podNodeSelectorPluginConfig';
    const { [field]: selectors = {} } = checkFields(decode(content), '', [field]);
    return checkTexts(selectors, field) as Readonly<Record<string, string>>;
  },
  PodSecurity(content, { vocabulary }) {
    const group = groupName(vocabulary, 'pod-security.admission.config.');
    const versions = ['v1', 'v1beta1', 'v1alpha1'].map((version) => `${group}/${version}`);
    const fields = ['defaults', 'exemptions'];
    const { defaults = {}, exemptions = {} } = readKind(
      content,
      'PodSecurityConfiguration',
      versions,
      fields,
    );
    const modes = ['enforce', 'audit', 'warn'].flatMap((mode) => [mode, `${mode}-version`]);
    checkTexts(checkFields(defaults, 'defaults.', modes), 'defaults');
    const lists = checkFields(exemptions, 'exemptions.', ['namespaces', 'usernames', 'runtimeClasses']);
    for (const [field, list] of Object.entries(lists)) requireTexts(list, `exemptions.${field}`);
    const read = { defaults, exemptions } as PodSecurityConfiguration;
    requireNone(readPodSecurityConfiguration(read).errors);
    return read;
  },
  PodTolerationRestriction(content, { vocabulary }) {
    const version = `${groupName(vocabulary, 'podtolerationrestriction.admission.')}/v1alpha1`;
    const {
      apiVersion: _,
      kind: __,
      ...tolerations
    } = readKind(content, 'Configuration', [version], [...['default', 'whitelist']]);
    for (const [field, list] of Object.entries(tolerations))
      if (!Array.isArray(list) || !list.every(isJsonObject))
        throw new Error(`${field} must be a list of tolerations`);
    return tolerations;
  },
  ResourceQuota(content, { vocabulary }) {
    const old = groupName(vocabulary, 'resourcequota.admission.');
    const kinds = {
      ResourceQuotaConfiguration: [`${groupName(vocabulary, 'apiserver.config.')}/v1`],
      Configuration: [`${old}/v1beta1`, `${old}/v1alpha1`],
    };
    const { limitedResources = [] } = readOneOf(content, kinds, ['limitedResources']);
    const fields = ['apiGroup', 'resource', 'matchContains', 'matchScopes'];
    const limited = listOf(limitedResources, 'limitedResources', fields);
    for (const [i, { resource, matchContains = [], matchScopes = [] }] of limited.entries()) {
      const path = `limitedResources[${i}]`;
      if (typeof resource !== 'string' || resource === '')
        throw new Error(fieldErrorText(FieldErrors.required(`${path}.resource`)));
      requireTexts(matchContains, `${path}.matchContains`);
      listOf(matchScopes, `${path}.matchScopes`, ['scopeName', 'operator', 'values']);
    }
    return { limitedResources: limited as unknown as readonly LimitedResource[] };
  },
  ValidatingAdmissionWebhook: readWebhookAdmission,
};

/** Reads a document that may be of several kinds, in versions of their own. @throws Error */
function readOneOf(
  content: Uint8Array,
  kinds: Readonly<Record<string, readonly string[]>>,
  fields: readonly string[],
): JsonObject {
  const document = decode(content);
  const kind = isJsonObject(document) ? String(document.kind) : '';
  const [newest = ''] = Object.keys(kinds);
  const read = Object.hasOwn(kinds, kind) ? kind : newest;
  return readKind(content, read, kinds[read] ?? [], fields);
}

/** @throws Error with the texts of errors */
function requireNone(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw new Error(errors.map(fieldErrorText).join(', '));
}

function requireTexts(list: JsonValue | undefined, path: string): void {
  if (!Array.isArray(list) || !list.every((name) => typeof name === 'string'))
    throw new Error(`${path} must be a list of names`);
}

/** @throws Error if it is no list of objects with these fields */
function listOf(value: JsonValue, path: string, fields: readonly string[]): readonly JsonObject[] {
  if (!Array.isArray(value)) throw new Error(`${path} must be a list`);
  return value.map((each, i) => checkFields(each, `${path}[${i}].`, fields));
}

function int32(value: JsonValue, path: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 31) return value;
  throw new Error(`${path} must be a whole number`);
}

const FIVE_MINUTES = 300_000;
const CACHE = { unit: 1000, least: 1000, most: 30 * 60_000 } as const;

/** Returns milliseconds: 0 is the default, -1 is none. @throws Error if they are too few or too many */
function scaled(
  value: JsonValue,
  field: string,
  { unit, least, most, usual }: Record<'unit' | 'least' | 'most' | 'usual', number>,
): number {
  const count = int32(value, `imagePolicy.${field}`);
  if (count === -1) return 0;
  if (count === 0) return usual;
  const milliseconds = count * unit;
  if (milliseconds >= least && milliseconds <= most) return milliseconds;
  const [from, to, got] = [least, most, milliseconds].map((each) => durationText(BigInt(each) * 1_000_000n));
  throw new Error(`imagePolicy.${field}: valid value is between ${from} and ${to}, got ${got}`);
}
