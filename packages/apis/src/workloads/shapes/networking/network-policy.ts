import type { Schema } from '@ashlar/core';
import { kindSchema } from '../../../types/kind-schema.ts';
import { atomic, int32, optional, printed, string, type } from '../../../types/schema-fields.ts';
import {
  among,
  intOrString,
  listOf,
  ofItemsAmong,
  part,
  textOf,
  texts,
  textsOf,
  withDefault,
} from '../../shape-fields.ts';
import { PROTOCOLS } from '../shared/enumerations.ts';
import { labelSelector } from '../shared/label-selector.ts';

// Allowed traffic between pods.

const ipBlock = type(
  'api.networking.v1.IPBlock',
  {
    cidr: printed(string(1)),
    except: texts(2, atomic),
  },
  { required: ['cidr'] },
);

const networkPolicyPeer = type('api.networking.v1.NetworkPolicyPeer', {
  podSelector: optional(part(1, labelSelector)),
  namespaceSelector: optional(part(2, labelSelector)),
  ipBlock: optional(part(3, ipBlock)),
});

const networkPolicyPort = type('api.networking.v1.NetworkPolicyPort', {
  protocol: among(withDefault(optional(textOf(1, 'api.core.v1.Protocol')), 'TCP'), PROTOCOLS),
  port: optional(intOrString(2)),
  endPort: optional(int32(3)),
});

const networkPolicyIngressRule = type('api.networking.v1.NetworkPolicyIngressRule', {
  ports: listOf(1, networkPolicyPort, atomic),
  from: listOf(2, networkPolicyPeer, atomic),
});

const networkPolicyEgressRule = type('api.networking.v1.NetworkPolicyEgressRule', {
  ports: listOf(1, networkPolicyPort, atomic),
  to: listOf(2, networkPolicyPeer, atomic),
});

const networkPolicySpec = type(
  'api.networking.v1.NetworkPolicySpec',
  {
    podSelector: part(1, labelSelector),
    ingress: listOf(2, networkPolicyIngressRule, atomic),
    egress: listOf(3, networkPolicyEgressRule, atomic),
    policyTypes: ofItemsAmong(textsOf(4, 'api.networking.v1.PolicyType', atomic), ['Egress', 'Ingress']),
  },
  { required: ['podSelector'] },
);

/** Schema of `NetworkPolicy`. */
export const networkPolicySchema: Schema = kindSchema(
  'api.networking.v1.NetworkPolicy',
  'Who may talk to the selected pods and to whom they may.',
  {
    spec: part(2, networkPolicySpec),
  },
);
