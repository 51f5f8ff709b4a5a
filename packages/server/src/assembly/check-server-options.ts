import { serviceNetworkFault } from '@ashlar/apis';
import { checkOptionNames, optionError, type Vocabulary, vocabularies } from '@ashlar/core';
import type { FeatureGateName, FeatureGates } from '@ashlar/lifecycle';
import type { ResourceDefinition, ServiceNetwork } from '@ashlar/registry';
import {
  CONFIGURED_PLUGINS,
  DEFAULT_ADMISSION_PLUGINS,
  isDefaultAdmissionPlugin,
  isOptInAdmissionPlugin,
  OPT_IN_ADMISSION_PLUGINS,
} from '../admission/admission-plugin-names.ts';
import type { ApiServerOptions } from './api-server-options.ts';

const CALLEE = 'createApiServer';

/** Every option; the compiler refuses one that is missing. */
const OPTIONS: Readonly<Record<keyof ApiServerOptions, true>> = {
  vocabulary: true,
  serverAddress: true,
  storage: true,
  encryption: true,
  resources: true,
  authenticator: true,
  serviceAccounts: true,
  apiAudiences: true,
  authorizer: true,
  featureGates: true,
  runtimeConfig: true,
  admission: true,
  enabledAdmissionPlugins: true,
  disabledAdmissionPlugins: true,
  admissionConfiguration: true,
  explainDenials: true,
  ambient: true,
  version: true,
  emulation: true,
  showHiddenMetrics: true,
  profiler: true,
  limits: true,
  priorityAndFairness: true,
  anonymousFrom: true,
  connect: true,
  requestTimeoutMilliseconds: true,
  minimumWatchSeconds: true,
  allowsOrigin: true,
  strictTransportSecurity: true,
  eventTtlSeconds: true,
  compactionMilliseconds: true,
  transport: true,
  serviceNetwork: true,
  resolveService: true,
  routesToEndpoints: true,
  proxyClient: true,
  identityHeaders: true,
  readOnly: true,
  convert: true,
  controllers: true,
  controllerUser: true,
  rootCertificateAuthority: true,
  certificateSigning: true,
  healthChecks: true,
  livezGraceMilliseconds: true,
  shutdownDelayMilliseconds: true,
  shutdownSendRetryAfter: true,
  audit: true,
  onError: true,
};

const has = (value: unknown, ...methods: readonly string[]): boolean =>
  methods.every((method) => typeof (value as Record<string, unknown> | null)?.[method] === 'function');

/** What an option must be, and whether it is. */
const RULES: readonly (readonly [keyof ApiServerOptions, string, (value: unknown) => boolean])[] = [
  [
    'vocabulary',
    `a vocabulary such as kubernetesVocabulary of @ashlar/core (its names: ${Object.keys(vocabularies).join(', ')})`,
    (value) => typeof (value as Vocabulary | null)?.groupDomain === 'string',
  ],
  [
    'storage',
    'a store, such as await createSqliteStore({ file })',
    (value) => has(value, 'get', 'put', 'range'),
  ],
  [
    'encryption',
    'an object with the configuration that parseEncryptionConfiguration of @ashlar/encryption returns',
    (value) =>
      Array.isArray((value as { configuration?: { resources?: unknown } } | null)?.configuration?.resources),
  ],
  ['authenticator', 'a function that returns an authenticator, such as () => authenticator', isFunction],
  ['authorizer', 'a function that returns an authorizer, such as () => authorizer', isFunction],
  ['onError', 'a function', isFunction],
  [
    'audit',
    'a function, or an object with the policy that readAuditPolicy of @ashlar/audit returns and a list of backends',
    (value) => isFunction(value) || isAuditing(value),
  ],
  ['proxyClient', 'a function that returns a certificate and its key', isFunction],
  ['allowsOrigin', "a function, such as (origin) => origin === 'https://app.example.org'", isFunction],
  ['identityHeaders', 'a list of header names', Array.isArray],
  ['transport', 'a transport, such as createNodeTransport()', (value) => has(value, 'request')],
  ['resources', 'a list of definitions, such as [defineResource({ … })]', Array.isArray],
  ['admission', 'a list of admission plugins', Array.isArray],
  ['emulation', "an emulation, such as emulateRelease('1.21')", (value) => has(value, 'apply', 'additional')],
  [
    'enabledAdmissionPlugins',
    `a list of ${OPT_IN_ADMISSION_PLUGINS.join(', ')}`,
    (value) => Array.isArray(value) && value.every(isOptInAdmissionPlugin),
  ],
  [
    'disabledAdmissionPlugins',
    `a list of ${DEFAULT_ADMISSION_PLUGINS.join(', ')}`,
    (value) => Array.isArray(value) && value.every(isDefaultAdmissionPlugin),
  ],
  [
    'ambient',
    'an ambient, such as nodeAmbient(kubernetesVocabulary)',
    (value) => has((value as { clock?: unknown } | null)?.clock, 'now', 'setTimer'),
  ],
];

function isAuditing(value: unknown): boolean {
  const { policy, backends } = (value ?? {}) as { policy?: { rules?: unknown }; backends?: unknown };
  return Array.isArray(policy?.rules) && Array.isArray(backends);
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

/**
 * Checks the options of a server when it is made.
 * @throws TypeError that names the option, what it must be and what it is
 */
export function checkServerOptions(options: ApiServerOptions): void {
  checkOptionNames(CALLEE, options, Object.keys(OPTIONS));
  for (const [name, expected, holds] of RULES) {
    if (options[name] !== undefined && !holds(options[name]))
      throw optionError(CALLEE, name, expected, options[name]);
  }
  const { vocabulary, ambient, serviceNetwork } = options;
  if (serviceNetwork) checkServiceNetwork(serviceNetwork);
  if (vocabulary && ambient && vocabulary.name !== ambient.vocabulary.name) {
    throw new TypeError(
      `option "vocabulary" of ${CALLEE} is ${vocabulary.name}, and that of its ambient is ${ambient.vocabulary.name}: give the same one, or leave out the option`,
    );
  }
  for (const [index, definition] of (options.resources ?? []).entries())
    checkDefinition(CALLEE, `resources[${index}]`, definition);
  const { enabledAdmissionPlugins = [], admissionConfiguration = {} } = options;
  for (const plugin of CONFIGURED_PLUGINS)
    if (enabledAdmissionPlugins.includes(plugin) && !admissionConfiguration[plugin])
      throw new TypeError(
        `option "enabledAdmissionPlugins" of ${CALLEE}: ${plugin} needs the option "admissionConfiguration.${plugin}"`,
      );
  for (const [index, plugin] of (options.admission ?? []).entries()) checkPlugin(plugin, index);
}

function checkPlugin(plugin: unknown, index: number): void {
  const { name, handles, admit, validate } = (plugin ?? {}) as Partial<Record<string, unknown>>;
  const calls = [admit, validate].filter((call) => call !== undefined);
  const isPlugin = typeof name === 'string' && typeof handles === 'function' && calls.length > 0;
  if (isPlugin && calls.every((call) => typeof call === 'function')) return;
  const expected = 'a plugin { name, handles, admit or validate }, of which all but the name are functions';
  throw optionError(CALLEE, `admission[${index}]`, expected, plugin);
}

function checkServiceNetwork(network: ServiceNetwork): void {
  checkOptionNames('serviceNetwork', network, ['clusterIpRanges', 'nodePortRange']);
  const problem = serviceNetworkFault(network);
  if (problem) throw new TypeError(`option "serviceNetwork" of ${CALLEE}: ${problem}`);
}

/** @throws TypeError */
export function checkDefinition(taker: string, option: string, definition: unknown): void {
  const { group, names, versions, strategy } = (definition ?? {}) as Partial<ResourceDefinition>;
  if (typeof group === 'string' && names && Array.isArray(versions) && strategy) return;
  const isWritten = typeof (definition as { spec?: unknown } | null)?.spec === 'object';
  const expected = isWritten
    ? 'a definition of defineResource; a CustomResourceDefinition is created by a client, or read with definitionsFromOpenApi'
    : 'a definition of defineResource';
  throw optionError(taker, option, expected, definition);
}

/**
 * Rejects a type that is there already.
 * @throws TypeError
 */
export function checkIsNew(
  { group, names }: ResourceDefinition,
  others: readonly ResourceDefinition[],
): void {
  const place = group === '' ? 'the core group' : `group ${group}`;
  for (const other of others) {
    if (other.group !== group) continue;
    const owner = other.dialect === 'built-in' ? 'a built-in type' : 'another definition';
    if (other.names.plural === names.plural) {
      throw new TypeError(
        `${names.plural} of ${place} is defined twice: ${owner} has it; choose another plural or group`,
      );
    }
    if (other.names.kind === names.kind) {
      throw new TypeError(
        `kind ${names.kind} of ${place} is defined twice: ${owner} has it, with the plural ${other.names.plural}; choose another kind or group`,
      );
    }
  }
}

/** Types that do nothing unless a feature gate is on, with the beginning of their group. */
const GATED: Readonly<Record<string, readonly [group: string, gate: FeatureGateName]>> = {
  mutatingadmissionpolicies: ['admissionregistration.', 'MutatingAdmissionPolicy'],
  mutatingadmissionpolicybindings: ['admissionregistration.', 'MutatingAdmissionPolicy'],
  storageversionmigrations: ['storagemigration.', 'StorageVersionMigrator'],
};

/**
 * Rejects a served type whose feature gate is off: its objects would be stored and ignored.
 * @throws TypeError
 */
export function checkGateOf({ group, names, versions }: ResourceDefinition, gates: FeatureGates): void {
  const [start, gate] = (Object.hasOwn(GATED, names.plural) && GATED[names.plural]) || [];
  if (start === undefined || gate === undefined || !group.startsWith(start)) return;
  if (gates.isEnabled(gate) || !versions.some(({ served }) => served)) return;
  throw new TypeError(`${names.plural}.${group} needs the feature gate ${gate}`);
}
