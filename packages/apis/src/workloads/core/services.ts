import { type ApiObject, compareUtf8, type Vocabulary, validateDns1035Label } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, column, nameColumn, wide } from '../../types/columns.ts';
import { labelsText, orElse } from '../cells.ts';
import { serviceSchema } from '../shapes/core/service.ts';
import { workloadType } from '../workload-type.ts';
import {
  serviceRules,
  withAddresses,
  withAllocated,
  withFamilies,
  withoutForeign,
} from './service-defaults.ts';
import type { LoadBalancerIngress, Service } from './service-types.ts';
import { serviceErrors, serviceStatusErrors, serviceUpdateErrors } from './service-validation.ts';

/**
 * Services (semantics/verbs#kinds, semantics/tables#built-in-columns). Cluster IPs and node ports are those
 * of clients: none are allocated.
 */
export function services(_vocabulary: Vocabulary): ResourceDefinition {
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
      },
    ],
    strategy: {
      validateName: validateDns1035Label,
      allowsCreateOnUpdate: true,
      returnsDeletedObject: true,
      prepareForCreate: (service: Service) =>
        withSpec(service, withFamilies(withAddresses(service.spec ?? {}))),
      prepareForUpdate: (service: Service, stored: Service) => {
        const was = stored.spec ?? {};
        return withSpec(service, withAddresses(withoutForeign(withAllocated(service.spec ?? {}, was), was)));
      },
      validate: serviceErrors,
      validateUpdate: serviceUpdateErrors,
    },
  });
}

const withSpec = (service: Service, spec: NonNullable<Service['spec']>): ApiObject => ({ ...service, spec });

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
