import type { AdmissionChain, ServiceResolver } from '@ashlar/admission';
import { MAXIMUM_OBJECT_BYTES, Metrics } from '@ashlar/core';
import { HealthChecks } from '@ashlar/http';
import { createObjectStore, type KeyValueStore, type ObjectStore } from '@ashlar/storage';
import { createLiveWebhooks, type LiveWebhooks } from '../live/live-webhooks.ts';
import { createLoopbackIdentity, ITSELF, type LoopbackIdentity } from './loopback-identity.ts';
import { objectCodec } from './object-codec.ts';
import { createServerAccess, type ServerAccess } from './server-access.ts';
import { createServerAdmission } from './server-admission.ts';
import { ServerLifetime } from './server-lifetime.ts';
import type { ApiServerSettings } from './server-settings.ts';
import { storedServices } from './stored-services.ts';

/** What all other parts of a server need: its store, who may use it, and which writes are admitted. */
export interface ServerFoundation {
  readonly storage: KeyValueStore;
  readonly store: ObjectStore;
  readonly lifetime: ServerLifetime;
  readonly metrics: Metrics;
  readonly health: HealthChecks;
  readonly loopback: LoopbackIdentity;
  readonly access: ServerAccess;
  readonly webhooks: LiveWebhooks;
  readonly resolveService: ServiceResolver;
  readonly admission: AdmissionChain;
}

/** @param isComplete whether the server is a fork of one that has started */
export function createServerFoundation(
  settings: ApiServerSettings,
  storage: KeyValueStore,
  isComplete: boolean,
): ServerFoundation {
  const { ambient, livezGraceMilliseconds = 0, onError } = settings;
  const store = createServerStore(settings, storage);
  const lifetime = new ServerLifetime(isComplete);
  const metrics = new Metrics();
  const health = new HealthChecks({ ...ambient, livezGraceMilliseconds });
  const loopback = createLoopbackIdentity(ambient.random);
  const access = createServerAccess(store, loopback, { ...settings, metrics });
  const webhooks = createLiveWebhooks(store, {
    ambient,
    isOfStart: ({ user }) => !lifetime.isComplete && user.name === ITSELF.name,
    onError,
  });
  const { resolveService = storedServices(store) } = settings;
  const admission = createServerAdmission(settings, { store, access, webhooks, resolveService });
  const guards = { loopback, access, webhooks, resolveService, admission };
  return { storage, store, lifetime, metrics, health, ...guards };
}

function createServerStore({ ambient }: ApiServerSettings, storage: KeyValueStore): ObjectStore {
  return createObjectStore(storage, {
    codec: objectCodec,
    clock: ambient.clock,
    ...(ambient.turns && { turns: ambient.turns }),
    maxObjectBytes: MAXIMUM_OBJECT_BYTES,
  });
}
