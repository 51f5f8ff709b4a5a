import { type Aggregation, type ApiService, createAggregation } from '@ashlar/aggregation';
import { groupName } from '@ashlar/core';
import type { ApiCatalog } from '@ashlar/http';
import type { ServerFoundation } from '../assembly/server-foundation.ts';
import type { ApiServerSettings } from '../assembly/server-settings.ts';
import { systemContext } from '../assembly/system-context.ts';
import { RejectedCertificates } from '../certificates/rejected-certificates.ts';
import { createLiveApiServices, type LiveApiServices } from '../live/live-api-services.ts';

/** The APIs that other servers serve behind this one, by the API services in its store. */
export interface ServedAggregation extends Disposable {
  readonly aggregation: Aggregation;
  readonly following: LiveApiServices;
}

/** @param catalog serves API services */
export function serveAggregation(
  settings: ApiServerSettings,
  { store, services, metrics }: Pick<ServerFoundation, 'store' | 'services' | 'metrics'>,
  catalog: ApiCatalog,
): ServedAggregation {
  const { ambient, proxyClient, identityHeaders, featureGates, onError } = settings;
  const rejected = new RejectedCertificates(metrics, 'kube_aggregator');
  const transport = settings.transport && rejected.of(settings.transport);
  const aggregation = createAggregation({
    ...{ ambient, transport, services, proxyClient, identityHeaders, onError },
    sendsUid: featureGates.isEnabled('RemoteRequestHeaderUID'),
    updateStatus: (name, change) => updateStatus(catalog, name, change),
  });
  const following = createLiveApiServices(store, aggregation, { ambient, onError });
  return {
    aggregation,
    following,
    [Symbol.dispose]() {
      following[Symbol.dispose]();
      aggregation[Symbol.dispose]();
    },
  };
}

async function updateStatus(
  catalog: ApiCatalog,
  name: string,
  change: (stored: ApiService) => ApiService | undefined,
): Promise<void> {
  const served = catalog.find(groupName(catalog.vocabulary, 'apiregistration.'), 'v1', 'apiservices');
  await served?.storage.update?.(systemContext(served, ''), {
    name,
    subresource: 'status',
    update: (stored) => change(stored as ApiService) ?? (stored as ApiService),
  });
}
