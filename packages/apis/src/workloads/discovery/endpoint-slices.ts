import {
  type ApiObject,
  choiceErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  FieldErrors,
  groupName,
  type JsonValue,
  jsonEqual,
  labelValueErrors,
  qualifiedNameErrors,
  requiredChoiceErrors,
  type Vocabulary,
  validateFullyQualifiedDomainName,
  validateLabels,
} from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, column, nameColumn } from '../../types/columns.ts';
import { ipFamilyOf } from '../addresses/address-range.ts';
import { firstOf } from '../cells.ts';
import { each, follows, hostAddress, unchanged } from '../field-rules.ts';
import { endpointSliceSchema } from '../shapes/discovery/endpoint-slice.ts';
import { ADDRESS_TYPES, PROTOCOLS } from '../shapes/shared/enumerations.ts';
import { workloadType } from '../workload-type.ts';

interface Endpoint {
  readonly addresses?: readonly string[] | null;
  readonly hostname?: string;
  readonly nodeName?: string;
  readonly deprecatedTopology?: Readonly<Record<string, string>>;
  readonly hints?: { readonly forZones?: readonly { readonly name?: string }[] };
}

interface Port {
  readonly name?: string;
  readonly port?: number;
  readonly protocol?: string;
  readonly appProtocol?: string;
}

/** A part of the endpoints of a service. */
interface EndpointSlice extends ApiObject {
  readonly addressType?: string;
  readonly endpoints?: readonly Endpoint[] | null;
  readonly ports?: readonly Port[] | null;
}

/** Slices of endpoints. */
export function endpointSlices(vocabulary: Vocabulary): ResourceDefinition {
  const hostname = `${vocabulary.labelDomain}/hostname`;
  const nodeOf = ({ deprecatedTopology }: Endpoint): string | undefined =>
    deprecatedTopology?.[hostname] || undefined;
  return workloadType({
    group: groupName(vocabulary, 'discovery.'),
    kind: 'EndpointSlice',
    plural: 'endpointslices',
    scope: 'Namespaced',
    schema: endpointSliceSchema,
    columns: [
      nameColumn,
      column('AddressType', 'What its addresses are.', ({ addressType = '' }: EndpointSlice) => addressType),
      column('Ports', 'Its ports.', ({ ports }: EndpointSlice) => portsText(ports ?? [])),
      column('Endpoints', 'Its addresses.', ({ endpoints }: EndpointSlice) =>
        firstOf(
          (endpoints ?? []).flatMap(({ addresses }) => addresses ?? []),
          '<unset>',
        ),
      ),
      ageColumn,
    ],
    countsDropped: true,
    // no list is as good as an empty one
    counted: ({ metadata, kind: _, apiVersion: __, endpoints, ports, ...rest }: EndpointSlice) => ({
      ...rest,
      endpoints: endpoints ?? [],
      ports: ports ?? [],
      labels: metadata.labels ?? {},
    }),
    strategy: {
      updateChecks: ['metadata'],
      prepareForCreate: (slice, _user, version) => withoutTopology(slice, undefined, version, nodeOf),
      prepareForUpdate: (slice, stored, version) => withoutTopology(slice, stored, version, nodeOf),
      validate,
      warnings: ({ addressType }: EndpointSlice, stored) =>
        addressType === 'FQDN' && !stored ? ['spec.addressType: FQDN endpoints are deprecated'] : [],
      validateUpdate: (object: EndpointSlice, stored: EndpointSlice) => [
        ...validate(object),
        ...unchanged('addressType', object.addressType ?? '', stored.addressType ?? ''),
      ],
    },
  });
}

/** Ports by their numbers, or else by their names; a single one may have neither. */
const portsText = (ports: readonly Port[]): string =>
  firstOf(
    ports.map(({ port, name }) => (port === undefined ? (name ?? '*') : `${port}`)),
    '',
  ) || '<unset>';

/**
 * Drops the old form of the topology of slices that are sent in v1 without an error, unless the endpoints stay as they are. The node that
 * was stored in it stays.
 */
function withoutTopology(
  slice: EndpointSlice,
  stored: EndpointSlice | undefined,
  version: string | undefined,
  nodeOf: (endpoint: Endpoint) => string | undefined,
): EndpointSlice {
  if (version !== 'v1' || !slice.endpoints?.some((endpoint) => endpoint.deprecatedTopology)) return slice;
  if (stored && jsonEqual(slice.endpoints as JsonValue, stored.endpoints as JsonValue)) return slice;
  const storedNodes = new Set((stored?.endpoints ?? []).map(nodeOf));
  return {
    ...slice,
    endpoints: slice.endpoints.map((endpoint) => {
      const { deprecatedTopology: _, ...rest } = endpoint;
      const node = nodeOf(endpoint);
      const isRetained =
        node !== undefined && storedNodes.has(node) && dns1123SubdomainErrors(node).length === 0;
      return isRetained && rest.nodeName === undefined ? { ...rest, nodeName: node } : rest;
    }),
  };
}

const MOST_ENDPOINTS = 1000;
const MOST_ZONES = 8;
const MOST_TOPOLOGY_LABELS = 16;
const MOST_ADDRESSES = 100;
const MOST_PORTS = 20_000;

function validate({ addressType = '', endpoints, ports }: EndpointSlice): readonly FieldError[] {
  return [
    ...requiredChoiceErrors('addressType', addressType, ADDRESS_TYPES),
    ...((endpoints?.length ?? 0) > MOST_ENDPOINTS
      ? [FieldErrors.tooMany('endpoints', endpoints?.length ?? 0, MOST_ENDPOINTS)]
      : each('endpoints', endpoints, (endpoint, path) => endpointErrors(endpoint, path, addressType))),
    ...((ports?.length ?? 0) > MOST_PORTS
      ? [FieldErrors.tooMany('ports', ports?.length ?? 0, MOST_PORTS)]
      : portsErrors(ports ?? [])),
  ];
}

function endpointErrors(endpoint: Endpoint, path: string, addressType: string): readonly FieldError[] {
  const addresses = endpoint.addresses ?? [];
  const at = `${path}.addresses`;
  return [
    ...(addresses.length === 0 ? [FieldErrors.required(at, 'must contain at least 1 address')] : []),
    ...(addresses.length > MOST_ADDRESSES ? [FieldErrors.tooMany(at, addresses.length, MOST_ADDRESSES)] : []),
    ...each(at, addresses, (address, place) => addressErrors(address, place, addressType)),
    ...topologyErrors(endpoint.deprecatedTopology, `${path}.deprecatedTopology`),
    ...(endpoint.nodeName === undefined
      ? []
      : follows(`${path}.nodeName`, endpoint.nodeName, dns1123SubdomainErrors)),
    ...(endpoint.hostname === undefined
      ? []
      : follows(`${path}.hostname`, endpoint.hostname, dns1123LabelErrors)),
    ...zonesErrors(endpoint.hints?.forZones ?? [], `${path}.hints.forZones`),
  ];
}

/** The old form of the topology is validated where it is kept. */
function topologyErrors(topology: Endpoint['deprecatedTopology'], path: string): readonly FieldError[] {
  const count = Object.keys(topology ?? {}).length;
  return [
    ...(count > MOST_TOPOLOGY_LABELS ? [FieldErrors.tooMany(path, count, MOST_TOPOLOGY_LABELS)] : []),
    ...validateLabels(topology, path),
  ];
}

function zonesErrors(zones: readonly { readonly name?: string }[], path: string): readonly FieldError[] {
  if (zones.length > MOST_ZONES) return [FieldErrors.tooMany(path, zones.length, MOST_ZONES)];
  const names = new Set<string>();
  return each(path, zones, ({ name = '' }, at) => {
    const isRepeated = names.has(name);
    names.add(name);
    return [
      ...(isRepeated ? [FieldErrors.duplicate(`${at}.name`, name)] : []),
      ...follows(`${at}.name`, name, labelValueErrors),
    ];
  });
}

function addressErrors(address: string, path: string, addressType: string): readonly FieldError[] {
  if (addressType === 'FQDN') return validateFullyQualifiedDomainName(path, address);
  if (addressType !== 'IPv4' && addressType !== 'IPv6') return [];
  const isFitting = ipFamilyOf(address) === addressType;
  const why = `must be a valid ${addressType} address`;
  return [...(isFitting ? [] : [FieldErrors.invalid(path, address, why)]), ...hostAddress(path, address)];
}

function portsErrors(ports: readonly Port[]): readonly FieldError[] {
  const names = new Set<string>();
  return each('ports', ports, ({ name = '', protocol, appProtocol }, path) => {
    const isDuplicate = names.has(name);
    names.add(name);
    return [
      ...(name === '' ? [] : follows(`${path}.name`, name, dns1123LabelErrors)),
      ...(isDuplicate ? [FieldErrors.duplicate(`${path}.name`, name)] : []),
      ...(protocol === undefined
        ? [FieldErrors.required(`${path}.protocol`)]
        : choiceErrors(`${path}.protocol`, protocol, PROTOCOLS)),
      ...(appProtocol === undefined ? [] : follows(`${path}.appProtocol`, appProtocol, qualifiedNameErrors)),
    ];
  });
}
