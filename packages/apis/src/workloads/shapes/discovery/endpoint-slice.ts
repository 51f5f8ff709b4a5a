import type { Schema } from '@ashlar/core';
import { objectReference } from '../../../core/object-reference.ts';
import { kindSchema } from '../../../types/kind-schema.ts';
import {
  atomic,
  boolean,
  int32,
  optional,
  printed,
  string,
  stringMap,
  type,
} from '../../../types/schema-fields.ts';
import { among, listOf, ownedSet, part, textOf, texts, withDefault } from '../../shape-fields.ts';
import { ADDRESS_TYPES, PROTOCOLS } from '../shared/enumerations.ts';

// Endpoints, in slices.

const endpointConditions = type('api.discovery.v1.EndpointConditions', {
  ready: optional(boolean(1)),
  serving: optional(boolean(2)),
  terminating: optional(boolean(3)),
});

const forZone = type(
  'api.discovery.v1.ForZone',
  {
    name: printed(string(1)),
  },
  { required: ['name'] },
);

const endpointHints = type('api.discovery.v1.EndpointHints', {
  forZones: listOf(1, forZone, atomic),
});

const endpoint = type(
  'api.discovery.v1.Endpoint',
  {
    addresses: printed(texts(1, ownedSet)),
    conditions: part(2, endpointConditions),
    hostname: optional(string(3)),
    targetRef: optional(part(4, objectReference)),
    deprecatedTopology: stringMap(5),
    nodeName: optional(string(6)),
    zone: optional(string(7)),
    hints: optional(part(8, endpointHints)),
  },
  { required: ['addresses'] },
);

const endpointPort = type(
  'api.discovery.v1.EndpointPort',
  {
    name: withDefault(optional(string(1)), ''),
    protocol: among(withDefault(optional(textOf(2, 'api.core.v1.Protocol')), 'TCP'), PROTOCOLS),
    port: optional(int32(3)),
    appProtocol: optional(string(4)),
  },
  { mapType: 'atomic' },
);

/** Schema of `EndpointSlice`. */
export const endpointSliceSchema: Schema = kindSchema(
  'api.discovery.v1.EndpointSlice',
  'Some of the places where a service is found.',
  {
    addressType: among(printed(textOf(4, 'api.discovery.v1.AddressType')), ADDRESS_TYPES),
    endpoints: printed(listOf(2, endpoint, atomic)),
    ports: printed(listOf(3, endpointPort, atomic)),
  },
  { required: ['addressType', 'endpoints'] },
);
