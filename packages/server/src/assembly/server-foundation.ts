import type { AdmissionChain, ServiceResolver } from '@ashlar/admission';
import type { BackendServices } from '@ashlar/aggregation';
import { Auditor } from '@ashlar/audit';
import { MAXIMUM_OBJECT_BYTES, type Metrics, type Transport } from '@ashlar/core';
import { ApiCatalog, HealthChecks } from '@ashlar/http';
import { createObjectStore, type KeyValueStore, type ObjectStore } from '@ashlar/storage';
import { createServerAdmission } from '../admission/server-admission.ts';
import { storedServices } from '../aggregation/stored-services.ts';
import { LegacyTokenTracking } from '../bootstrap/legacy-token-tracking.ts';
import { RejectedCertificates } from '../certificates/rejected-certificates.ts';
import type { ServerEncryption } from '../encryption/server-encryption.ts';
import { LiveNamespaced } from '../live/live-namespaced.ts';
import { createLivePolicies, type LivePolicies } from '../live/live-policies.ts';
import { createLiveWebhooks, type LiveAdmissionOptions, type LiveWebhooks } from '../live/live-webhooks.ts';
import { createLoopbackIdentity, ITSELF, type LoopbackIdentity } from './loopback-identity.ts';
import { objectCodec } from './object-codec.ts';
import { createServerAccess, type ServerAccess } from './server-access.ts';
import { ServerLifetime } from './server-lifetime.ts';
import type { ApiServerSettings } from './server-settings.ts';

/** What all other parts of a server need: its store, access and admission. */
export interface ServerFoundation {
  readonly storage: KeyValueStore;
  readonly store: ObjectStore;
  readonly lifetime: ServerLifetime;
  readonly metrics: Metrics;
  /** Records the events of requests; undefined if that is off. */
  readonly auditor: Auditor | undefined;
  /** Undefined for a server that stores objects as they are, and for forks, which use that of their origin. */
  readonly encryption: ServerEncryption | undefined;
  readonly health: HealthChecks;
  readonly loopback: LoopbackIdentity;
  readonly access: ServerAccess;
  /** Notes the use of tokens in secrets; not started yet. */
  readonly legacyTokens: LegacyTokenTracking;
  readonly webhooks: LiveWebhooks;
  readonly policies: LivePolicies;
  readonly limitRanges: LiveNamespaced;
  readonly quotas: LiveNamespaced;
  readonly resolveService: ServiceResolver;
  /** Sends requests to webhooks. */
  readonly webhookTransport: Transport | undefined;
  /** Where the services of the cluster are. */
  readonly services: BackendServices;
  readonly admission: AdmissionChain;
  /** What is served; empty at first. */
  readonly catalog: ApiCatalog;
}

/** What exists before the other parts. */
export type OwnParts = Pick<ServerFoundation, 'metrics' | 'encryption'>;

/** @param isComplete whether the server is a fork of one that has started */
export function createServerFoundation(
  settings: ApiServerSettings,
  storage: KeyValueStore,
  { metrics, encryption }: OwnParts,
  isComplete: boolean,
): ServerFoundation {
  const { ambient, featureGates, livezGraceMilliseconds = 0, onError } = settings;
  const store = createServerStore(settings, storage);
  const lifetime = new ServerLifetime(isComplete);
  const health = new HealthChecks({ ...ambient, livezGraceMilliseconds });
  const loopback = createLoopbackIdentity(ambient.random);
  const legacyTokens = new LegacyTokenTracking({
    ...ambient,
    onError: (error) => lifetime.closing.aborted || onError(error),
  });
  const secretUsed = legacyTokens.used.bind(legacyTokens);
  const access = createServerAccess(store, loopback, { ...settings, metrics, secretUsed });
  const followed: LiveAdmissionOptions = {
    ambient,
    isOfStart: ({ user }) => !lifetime.isComplete && user.name === ITSELF.name,
    onError,
  };
  const webhooks = createLiveWebhooks(store, followed);
  const policies = createLivePolicies(store, followed);
  const limitRanges = new LiveNamespaced(store, '/limitranges/', followed);
  const quotas = new LiveNamespaced(store, '/resourcequotas/', followed);
  const catalog = new ApiCatalog(ambient.vocabulary, {
    cbor: featureGates.isEnabled('CBORServingAndStorage'),
  });
  const services = servicesOf(settings, store);
  const resolveService = services.origin;
  const sources = { store, access, webhooks, policies, limitRanges, quotas, resolveService, catalog };
  const rejected = new RejectedCertificates(metrics, 'webhooks');
  const webhookTransport = settings.transport && rejected.of(settings.transport);
  const admission = createServerAdmission(settings, { ...sources, metrics, rejected, webhookTransport });
  const auditor = auditorOf(settings, metrics);
  const own = {
    storage,
    encryption,
    auditor,
    lifetime,
    metrics,
    health,
    loopback,
    legacyTokens,
    webhookTransport,
  };
  return { ...own, admission, services, ...sources };
}

function auditorOf({ audit, ambient, onError }: ApiServerSettings, metrics: Metrics): Auditor | undefined {
  if (audit === undefined || typeof audit === 'function') return undefined;
  return new Auditor({ ...audit, ambient, metrics, onError: ({ message }) => onError(message) });
}

/** A host that says where services are knows what is to be known of them. */
function servicesOf(
  { ambient, resolveService, routesToEndpoints }: ApiServerSettings,
  store: ObjectStore,
): BackendServices {
  if (resolveService) return { origin: resolveService };
  return storedServices(store, { random: ambient.transientRandom ?? ambient.random, routesToEndpoints });
}

function createServerStore(
  { ambient, featureGates }: ApiServerSettings,
  storage: KeyValueStore,
): ObjectStore {
  return createObjectStore(storage, {
    codec: objectCodec,
    clock: ambient.clock,
    ...(ambient.turns && { turns: ambient.turns }),
    maxObjectBytes: MAXIMUM_OBJECT_BYTES,
    explainsUnreadable: featureGates.isEnabled('AllowUnsafeMalformedObjectDeletion'),
  });
}
