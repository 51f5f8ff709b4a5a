import { type ApiObject, groupName, type JsonObject, type JsonValue, type Vocabulary } from '@ashlar/core';
import { stringMap } from '../../types/schema-fields.ts';
import { compileDefaults } from '../../workloads/defaults/schema-defaults.ts';
import { endpointSlices } from '../../workloads/discovery/endpoint-slices.ts';
import { endpointSliceSchema } from '../../workloads/shapes/discovery/endpoint-slice.ts';
import { type FieldChanges, revisedSchema } from '../revised-schema.ts';
import { relabelled, type WithdrawnVersion, withdrawnVersion } from '../withdrawn-version.ts';

/** Endpoint slices before v1: host and zone of an endpoint are labels of its topology. */
export function withdrawnEndpointSlices(vocabulary: Vocabulary): readonly WithdrawnVersion[] {
  const group = groupName(vocabulary, 'discovery.');
  const labels: TopologyLabels = {
    hostname: `${vocabulary.labelDomain}/hostname`,
    zone: `topology.${vocabulary.labelDomain}/zone`,
  };
  const change = (object: ApiObject, version: string, of: typeof toCurrentEndpoint): ApiObject => {
    const { endpoints } = object as ApiObject & { readonly endpoints?: readonly JsonObject[] | null };
    const changed = endpoints ? { endpoints: endpoints.map((endpoint) => of(endpoint, labels)) } : {};
    return relabelled(`${group}/${version}`)({ ...object, ...changed } as ApiObject);
  };
  const toCurrent = (object: ApiObject): ApiObject => change(object, 'v1', toCurrentEndpoint);
  const fromCurrent = (object: ApiObject): ApiObject => change(object, 'v1beta1', fromCurrentEndpoint);
  const { complete } = compileDefaults(revisedSchema(endpointSliceSchema, CHANGES));
  return [
    withdrawnVersion(
      endpointSlices(vocabulary),
      { version: 'v1beta1' },
      {
        schema: revisedSchema(endpointSliceSchema, CHANGES, ['api.discovery.v1.', 'api.discovery.v1beta1.']),
        // what is stored of an endpoint has the host in one place
        complete: (object) => fromCurrent(toCurrent(complete(object))),
        toCurrent,
        fromCurrent,
      },
    ),
  ];
}

interface TopologyLabels {
  readonly hostname: string;
  readonly zone: string;
}

const CHANGES: FieldChanges = {
  'api.discovery.v1.Endpoint': ({ deprecatedTopology: _, zone: __, ...fields }) => ({
    ...fields,
    topology: stringMap(5),
  }),
};

type Topology = Readonly<Record<string, string>>;

function toCurrentEndpoint(endpoint: JsonObject, labels: TopologyLabels): JsonObject {
  const { topology = {}, ...rest } = endpoint as JsonObject & { readonly topology?: Topology };
  const others = Object.entries(topology).filter(
    ([key, value]) => key !== labels.zone && !(key === labels.hostname && value === rest.nodeName),
  );
  const zone = topology[labels.zone];
  return {
    ...rest,
    ...(others.length > 0 && { deprecatedTopology: Object.fromEntries(others) }),
    ...(zone !== undefined && { zone }),
  };
}

function fromCurrentEndpoint(endpoint: JsonObject, labels: TopologyLabels): JsonObject {
  const {
    deprecatedTopology = {},
    zone,
    ...rest
  } = endpoint as JsonObject & {
    readonly deprecatedTopology?: Topology;
    readonly zone?: JsonValue;
  };
  const host = rest.nodeName;
  const topology = {
    ...(host !== undefined && { [labels.hostname]: host }),
    ...deprecatedTopology,
    ...(zone !== undefined && { [labels.zone]: zone }),
  };
  const sorted = Object.entries(topology).sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...rest, ...(sorted.length > 0 && { topology: Object.fromEntries(sorted) }) };
}
