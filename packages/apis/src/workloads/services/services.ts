import { compareUtf8, type Vocabulary, validateDns1035Label } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, column, nameColumn, wide } from '../../types/columns.ts';
import { labelsText, orElse } from '../cells.ts';
import { proxyOptions } from '../core/connections/connection-options.ts';
import { servedService } from '../core/connections/connection-targets.ts';
import { serviceSchema } from '../shapes/core/service.ts';
import { workloadType } from '../workload-type.ts';
import { withoutFormerTypeFields } from './service-addresses.ts';
import { serviceAllocator } from './service-allocator.ts';
import { serviceRules } from './service-defaults.ts';
import { serviceStatusErrors } from './service-status-validation.ts';
import type { LoadBalancerIngress, Service, ServiceSpec } from './service-types.ts';
import { serviceUpdateErrors } from './service-update-validation.ts';
import { serviceErrorsSteps } from './service-validation.ts';
import { serviceWarnings } from './service-warnings.ts';

/**
 * Services (semantics/verbs#kinds, semantics/tables#built-in-columns). They get their cluster IPs and ports of nodes from the ranges of the
 * server (semantics/verbs#addresses-of-services).
 */
export function services(vocabulary: Vocabulary): ResourceDefinition {
  return workloadType({
    group: '',
    kind: 'Service',
    plural: 'services',
    shortNames: ['svc'],
    categories: ['all'],
    scope: 'Namespaced',
    schema: serviceSchema,
    rules: serviceRules,
    columns: [
      nameColumn,
      column('Type', 'How it is reached.', ({ spec }: Service) => spec?.type ?? ''),
      column('Cluster-IP', 'Its address.', ({ spec }: Service) => orElse(spec?.clusterIPs?.[0], '<none>')),
      column('External-IP', 'Its addresses outside of the cluster.', externalText),
      column('Port(s)', 'Its ports, and those of nodes for them.', portsText),
      ageColumn,
      wide(column('Selector', 'The pods behind it.', ({ spec }: Service) => labelsText(spec?.selector))),
    ],
    selectableFields: {
      names: ['spec.clusterIP', 'spec.type'],
      valueOf: ({ spec = {} }: Service, field) => (field === 'spec.type' ? spec.type : spec.clusterIP) ?? '',
    },
    status: { validate: serviceStatusErrors },
    connections: [
      {
        name: 'proxy',
        kind: 'ServiceProxyOptions',
        verbs: ['create', 'delete', 'get', 'patch', 'update'],
        withPath: true,
        options: proxyOptions('ServiceProxyOptions'),
        target: servedService,
      },
    ],
    strategy: {
      validateName: validateDns1035Label,
      allowsCreateOnUpdate: true,
      returnsDeletedObject: true,
      prepareForCreate: (service: Service) => ({ ...service, spec: inDeclaredOrder(service.spec ?? {}) }),
      prepareForUpdate: (service: Service, stored: Service) => {
        const spec = inDeclaredOrder(withoutFormerTypeFields(service.spec ?? {}, stored.spec ?? {}));
        const updated = { ...service, spec };
        return spec.type === 'LoadBalancer'
          ? updated
          : { ...updated, status: { ...service.status, loadBalancer: {} } };
      },
      validateSteps: serviceErrorsSteps(vocabulary),
      updateChecks: ['metadata-change', 'change', 'metadata', 'object'],
      validateUpdate: serviceUpdateErrors,
      warnings: serviceWarnings(vocabulary),
    },
    createAllocator: serviceAllocator,
  });
}

function externalText({ spec = {}, status = {} }: Service): string {
  const { externalIPs = [] } = spec;
  switch (spec.type) {
    case 'ClusterIP':
    case 'NodePort':
      return externalIPs.join(',') || '<none>';
    case 'LoadBalancer':
      return [...ingressTexts(status.loadBalancer?.ingress), ...externalIPs].join(',') || '<pending>';
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return '<unknown>';
  }
}

/** Addresses of a load balancer, without duplicates. */
export function ingressTexts(ingress: readonly LoadBalancerIngress[] = []): readonly string[] {
  const texts = ingress.map(({ ip, hostname }) => ip || hostname || '').filter((text) => text !== '');
  return [...new Set(texts)].sort(compareUtf8);
}

function portsText({ spec = {} }: Service): string {
  const texts = (spec.ports ?? []).map(
    ({ port, nodePort, protocol }) => `${port}${nodePort ? `:${nodePort}` : ''}/${protocol}`,
  );
  return texts.join(',') || '<none>';
}

const PLACES: ReadonlyMap<string, number> = new Map(
  Object.keys(serviceSchema.properties?.spec?.properties ?? {}).map((name, place) => [name, place]),
);

/** A specification in which what was allocated stands where its kind declares it. */
function inDeclaredOrder(spec: ServiceSpec): ServiceSpec {
  const members = Object.entries(spec) as [string, unknown][];
  members.sort(([a], [b]) => (PLACES.get(a) ?? 0) - (PLACES.get(b) ?? 0));
  return Object.fromEntries(members) as ServiceSpec;
}
