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
  type ApiObject,
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

/** Creates the plugins in the order of the reference, then those of the host; last of all, those that depend on what all others admit. */
export function createServerAdmission(
  settings: ApiServerSettings,
  {
    store,
    access,
    webhooks,
    policies,
    limitRanges,
    quotas,
    catalog,
    resolveService,
    metrics,
    rejected,
    webhookTransport: transport,
  }: AdmissionSources,
): AdmissionChain {
  const { ambient, featureGates, admission = [] } = settings;
  const { admissionConfiguration: configuration = {} } = settings;
  const { enabledAdmissionPlugins = [], disabledAdmissionPlugins = [] } = settings;
  const { vocabulary, clock } = ambient;
  const namespace: MatchingEnvironment['namespace'] =
    settings.namespaceOf ??
    ((name, { allowCached }) =>
      andThen(
        store.get(`/namespaces/${name}`, allowCached ? { notOlderThan: 0 } : {}),
        (record) => record?.object,
      ));
  const quotaWrites = new QuotaWrites(store);
  const { authorizer } = access;
  const caller = { clock, turns: ambient.turns, transport, resolveService };
  const counted = new AdmissionMetrics(metrics, clock);
  const environment = { ambient, vocabulary, namespace, authorizer, caller, metrics: counted };
  const parameters = servedParameters(catalog);
  const group = groupName(vocabulary, 'admissionregistration.');
  const policy = async (plural: string, name: string): Promise<ApiObject | undefined> =>
    (await store.get(`/${plural}.${group}/${name}`))?.object;
  const stored = async (prefix: string, plural: string): Promise<readonly ApiObject[]> => {
    const { records } = await store.list(`/${plural}.${groupName(vocabulary, prefix)}/`, { notOlderThan: 0 });
    return records.map(({ object }) => object);
  };
  const workloads: WorkloadAdmissionOptions = {
    ...(configuration.PodNodeSelector && { selectors: configuration.PodNodeSelector }),
    ...(configuration.PodTolerationRestriction && { tolerations: configuration.PodTolerationRestriction }),
    vocabulary,
    ambient,
    stored,
    namespace: (name) => namespace(name, { allowCached: true }),
    limitRanges: (request) => limitRanges.of(request),
  };
  const builtIn: readonly AdmissionPlugin[] = [
    createNamespaceProvision({ namespace, create: (name) => createNamespace(catalog, name) }),
    createNamespaceLifecycle({ vocabulary, clock, namespace }),
    createNamespaceRequirement(namespace),
    createOwnerPermission({
      authorizer,
      resourceOf: (apiVersion, kind) => resourceOfKind(catalog, apiVersion, kind),
    }),
    ...access.admission,
    ...createWorkloadAdmission(workloads),
    ...createOptionalWorkloadAdmission(workloads),
    createPodSecurity({
      ambient,
      ...podSecurityOf(configuration),
      namespace: (name) => namespace(name, { allowCached: true }),
      async podsOf(name) {
        const { records } = await store.list(`/pods/${name}/`);
        return records.map(({ object }) => object);
      },
    }),
    createPolicyPermission({ vocabulary, authorizer, parameters, policy }),
    ...(featureGates.isEnabled('MutatingAdmissionPolicy')
      ? [createMutatingPolicies({ ...environment, source: policies.mutating, parameters })]
      : []),
    createMutatingWebhooks({
      ...environment,
      caller: { ...caller, ...credentialsOf(configuration.MutatingAdmissionWebhook, rejected) },
      source: webhooks.mutating,
    }),
    createValidatingPolicies({ ...environment, source: policies.validating, parameters }),
    createValidatingWebhooks({
      ...environment,
      caller: { ...caller, ...credentialsOf(configuration.ValidatingAdmissionWebhook, rejected) },
      source: webhooks.validating,
    }),
    ...(configuration.EventRateLimit
      ? [createEventRateLimit(configuration.EventRateLimit.limits, clock)]
      : []),
    ...(configuration.ImagePolicyWebhook
      ? [createImagePolicy(configuration.ImagePolicyWebhook, ambient)]
      : []),
    createResourceQuota({
      vocabulary,
      ambient,
      limitedResources: configuration.ResourceQuota?.limitedResources,
      quotas: (request) => quotas.of(request),
      change: (quota, change, dryRun) => quotaWrites.change(quota, change, dryRun),
      requireAbsent: (request) => quotaWrites.requireAbsent(request),
    }),
  ];
  const selected = selectPlugins(builtIn, enabledAdmissionPlugins, disabledAdmissionPlugins);
  return createAdmissionChain([...selected, ...admission], {
    last: access.lastAdmission,
    explainsTo: explainsTo(settings),
    metrics: counted,
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
