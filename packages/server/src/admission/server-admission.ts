import {
  type AdmissionChain,
  AdmissionMetrics,
  type AdmissionPlugin,
  createAdmissionChain,
  createMutatingPolicies,
  createMutatingWebhooks,
  createNamespaceLifecycle,
  createNamespaceProvision,
  createNamespaceRequirement,
  createOwnerPermission,
  createPolicyPermission,
  createValidatingPolicies,
  createValidatingWebhooks,
  type MatchingEnvironment,
  type ServiceResolver,
} from '@ashlar/admission';
import {
  createEventRateLimit,
  createImagePolicy,
  createOptionalWorkloadAdmission,
  createPodSecurity,
  createResourceQuota,
  createWorkloadAdmission,
  type PodSecurityOptions,
  readPodSecurityConfiguration,
  type WorkloadAdmissionOptions,
} from '@ashlar/apis';
import { PRIVILEGED_GROUP } from '@ashlar/authz';
import {
  andThen,
  fieldErrorText,
  groupName,
  type Metrics,
  type Transport,
  type UserInfo,
} from '@ashlar/core';
import type { ApiCatalog } from '@ashlar/http';
import type { ObjectStore } from '@ashlar/storage';
import { servedParameters } from '../assembly/served-parameters.ts';
import type { ServerAccess } from '../assembly/server-access.ts';
import type { ApiServerSettings } from '../assembly/server-settings.ts';
import type { RejectedCertificates } from '../certificates/rejected-certificates.ts';
import type { LiveNamespaced } from '../live/live-namespaced.ts';
import type { LivePolicies } from '../live/live-policies.ts';
import type { LiveWebhooks } from '../live/live-webhooks.ts';
import type { AdmissionConfiguration, WebhookCredentials } from './admission-configuration.ts';
import { selectPlugins } from './admission-plugin-names.ts';
import { createNamespace, resourceOfKind } from './catalog-requests.ts';
import { QuotaWrites } from './quota-writes.ts';

/** What the plugins consult. */
interface AdmissionSources {
  readonly store: ObjectStore;
  readonly access: ServerAccess;
  readonly webhooks: LiveWebhooks;
  readonly policies: LivePolicies;
  readonly limitRanges: LiveNamespaced;
  readonly quotas: LiveNamespaced;
  readonly catalog: ApiCatalog;
  readonly resolveService: ServiceResolver;
  /** Counts what admission does. */
  readonly metrics: Metrics;
  /** Counts certificates of webhooks that have transports of their own. */
  readonly rejected: RejectedCertificates;
  /** Sends requests to all others. */
  readonly webhookTransport: Transport | undefined;
}

type NamespaceLookup = MatchingEnvironment['namespace'];

/** Creates the plugins in the order of the reference, then those of the host; last of all, those that depend on what all others admit. */
export function createServerAdmission(
  settings: ApiServerSettings,
  sources: AdmissionSources,
): AdmissionChain {
  const { ambient, admission = [] } = settings;
  const { enabledAdmissionPlugins = [], disabledAdmissionPlugins = [] } = settings;
  const metrics = new AdmissionMetrics(sources.metrics, ambient.clock);
  const builtIn = builtInPlugins(settings, sources, metrics);
  const selected = selectPlugins(builtIn, enabledAdmissionPlugins, disabledAdmissionPlugins);
  return createAdmissionChain([...selected, ...admission], {
    last: sources.access.lastAdmission,
    explainsTo: explainsTo(settings),
    metrics,
  });
}

function builtInPlugins(
  settings: ApiServerSettings,
  sources: AdmissionSources,
  metrics: AdmissionMetrics,
): readonly AdmissionPlugin[] {
  const namespace = namespaceLookup(settings, sources);
  const workloads = workloadOptions(settings, sources, namespace);
  return [
    ...namespacePlugins(settings, sources, namespace),
    ...sources.access.admission,
    ...createWorkloadAdmission(workloads),
    ...createOptionalWorkloadAdmission(workloads),
    podSecurity(settings, sources, namespace),
    ...policiesAndWebhooks(settings, sources, namespace, metrics),
    ...configuredPlugins(settings),
    resourceQuota(settings, sources),
  ];
}

function namespaceLookup({ namespaceOf }: ApiServerSettings, { store }: AdmissionSources): NamespaceLookup {
  if (namespaceOf) return namespaceOf;
  return (name, { allowCached }) =>
    andThen(
      store.get(`/namespaces/${name}`, allowCached ? { notOlderThan: 0 } : {}),
      (record) => record?.object,
    );
}

function namespacePlugins(
  { ambient: { vocabulary, clock } }: ApiServerSettings,
  { access: { authorizer }, catalog }: AdmissionSources,
  namespace: NamespaceLookup,
): readonly AdmissionPlugin[] {
  return [
    createNamespaceProvision({ namespace, create: (name) => createNamespace(catalog, name) }),
    createNamespaceLifecycle({ vocabulary, clock, namespace }),
    createNamespaceRequirement(namespace),
    createOwnerPermission({
      authorizer,
      resourceOf: (apiVersion, kind) => resourceOfKind(catalog, apiVersion, kind),
    }),
  ];
}

function workloadOptions(
  { ambient, admissionConfiguration: configuration = {} }: ApiServerSettings,
  { store, limitRanges }: AdmissionSources,
  namespace: NamespaceLookup,
): WorkloadAdmissionOptions {
  const { vocabulary } = ambient;
  return {
    ...(configuration.PodNodeSelector && { selectors: configuration.PodNodeSelector }),
    ...(configuration.PodTolerationRestriction && { tolerations: configuration.PodTolerationRestriction }),
    ...(configuration.DefaultTolerationSeconds && {
      tolerationSeconds: configuration.DefaultTolerationSeconds,
    }),
    vocabulary,
    ambient,
    async stored(prefix, plural) {
      const key = `/${plural}.${groupName(vocabulary, prefix)}/`;
      const { records } = await store.list(key, { notOlderThan: 0 });
      return records.map(({ object }) => object);
    },
    namespace: (name) => namespace(name, { allowCached: true }),
    limitRanges: (request) => limitRanges.of(request),
  };
}

function podSecurity(
  { ambient, admissionConfiguration: configuration = {} }: ApiServerSettings,
  { store }: AdmissionSources,
  namespace: NamespaceLookup,
): AdmissionPlugin {
  return createPodSecurity({
    ambient,
    ...podSecurityOf(configuration),
    namespace: (name) => namespace(name, { allowCached: true }),
    async podsOf(name) {
      const { records } = await store.list(`/pods/${name}/`);
      return records.map(({ object }) => object);
    },
  });
}

function policiesAndWebhooks(
  settings: ApiServerSettings,
  sources: AdmissionSources,
  namespace: NamespaceLookup,
  metrics: AdmissionMetrics,
): readonly AdmissionPlugin[] {
  const { ambient, featureGates, admissionConfiguration: configuration = {} } = settings;
  const { access, catalog, policies, rejected, resolveService, store, webhooks } = sources;
  const { vocabulary, clock, turns } = ambient;
  const { authorizer } = access;
  const caller = { clock, turns, transport: sources.webhookTransport, resolveService };
  const environment = { ambient, vocabulary, namespace, authorizer, caller, metrics };
  const callerOf = (credentials: WebhookCredentials | undefined): typeof caller => ({
    ...caller,
    ...credentialsOf(credentials, rejected),
  });
  const parameters = servedParameters(catalog);
  const group = groupName(vocabulary, 'admissionregistration.');
  return [
    createPolicyPermission({
      ...{ vocabulary, authorizer, parameters },
      policy: async (plural, name) => (await store.get(`/${plural}.${group}/${name}`))?.object,
    }),
    ...(featureGates.isEnabled('MutatingAdmissionPolicy')
      ? [createMutatingPolicies({ ...environment, source: policies.mutating, parameters })]
      : []),
    createMutatingWebhooks({
      ...environment,
      caller: callerOf(configuration.MutatingAdmissionWebhook),
      source: webhooks.mutating,
    }),
    createValidatingPolicies({ ...environment, source: policies.validating, parameters }),
    createValidatingWebhooks({
      ...environment,
      caller: callerOf(configuration.ValidatingAdmissionWebhook),
      source: webhooks.validating,
    }),
  ];
}

/** Plugins that do nothing without a configuration. */
function configuredPlugins({
  ambient,
  admissionConfiguration: { EventRateLimit, ImagePolicyWebhook } = {},
}: ApiServerSettings): readonly AdmissionPlugin[] {
  return [
    ...(EventRateLimit ? [createEventRateLimit(EventRateLimit.limits, ambient.clock)] : []),
    ...(ImagePolicyWebhook ? [createImagePolicy(ImagePolicyWebhook, ambient)] : []),
  ];
}

function resourceQuota(
  { ambient, admissionConfiguration: configuration = {} }: ApiServerSettings,
  { quotas, store }: AdmissionSources,
): AdmissionPlugin {
  const writes = new QuotaWrites(store);
  return createResourceQuota({
    vocabulary: ambient.vocabulary,
    ambient,
    limitedResources: configuration.ResourceQuota?.limitedResources,
    quotas: (request) => quotas.of(request),
    change: (quota, change, dryRun) => writes.change(quota, change, dryRun),
    requireAbsent: (request) => writes.requireAbsent(request),
  });
}

/** Connections with credentials are counted as the others are. */
function credentialsOf(
  credentials: WebhookCredentials | undefined,
  rejected: RejectedCertificates,
): Partial<WebhookCredentials> {
  if (!credentials) return {};
  return {
    transportTo(server) {
      const own = credentials.transportTo(server);
      return own && rejected.of(own);
    },
  };
}

const isAdministrator = ({ groups }: UserInfo): boolean => groups.includes(PRIVILEGED_GROUP);

function explainsTo({ explainDenials }: ApiServerSettings): ((user: UserInfo) => boolean) | undefined {
  return explainDenials === true ? isAdministrator : explainDenials || undefined;
}

/** @throws TypeError for a configuration with errors */
function podSecurityOf({
  PodSecurity = {},
}: AdmissionConfiguration): Pick<PodSecurityOptions, 'defaults' | 'exemptions'> {
  const { errors, ...read } = readPodSecurityConfiguration(PodSecurity);
  if (errors.length === 0) return read;
  throw new TypeError(
    `option "admissionConfiguration" of createApiServer: PodSecurity: ${errors.map(fieldErrorText).join(', ')}`,
  );
}
