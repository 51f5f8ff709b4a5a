import {
  type ApiObject,
  choiceErrors,
  type FieldError,
  FieldErrors,
  groupName,
  type JsonObject,
  type LabelSelectorObject,
  labelSelectorText,
  maskedIpAddress,
  parseCidr,
  portNameErrors,
  unmappedIpAddress,
  type Vocabulary,
  validateCidr,
  validateLabelSelector,
} from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, column, nameColumn } from '../../types/columns.ts';
import type { DefaultRules } from '../defaults/default-rules.ts';
import { each, follows, portNumber, required } from '../field-rules.ts';
import { isIn, malformedSelectorValues } from '../inherited/inherited-selectors.ts';
import { networkPolicySchema } from '../shapes/networking/network-policy.ts';
import { specOf, workloadType } from '../workload-type.ts';

interface Peer {
  readonly podSelector?: LabelSelectorObject;
  readonly namespaceSelector?: LabelSelectorObject;
  readonly ipBlock?: { readonly cidr?: string; readonly except?: readonly string[] };
}

interface Port {
  readonly protocol?: string;
  readonly port?: number | string;
  readonly endPort?: number;
}

/** Traffic allowed to the selected pods. */
interface NetworkPolicy extends ApiObject {
  readonly spec?: {
    readonly podSelector?: LabelSelectorObject;
    readonly ingress?: readonly { readonly ports?: readonly Port[]; readonly from?: readonly Peer[] }[];
    readonly egress?: readonly { readonly ports?: readonly Port[]; readonly to?: readonly Peer[] }[];
    readonly policyTypes?: readonly string[];
  };
}

/** Network policies. */
export function networkPolicies(vocabulary: Vocabulary): ResourceDefinition {
  return workloadType({
    group: groupName(vocabulary, 'networking.'),
    kind: 'NetworkPolicy',
    plural: 'networkpolicies',
    shortNames: ['netpol'],
    scope: 'Namespaced',
    schema: networkPolicySchema,
    rules: networkPolicyRules,
    columns: [
      nameColumn,
      column('Pod-Selector', 'The pods that it is for.', ({ spec }: NetworkPolicy) =>
        labelSelectorText(spec?.podSelector),
      ),
      ageColumn,
    ],
    counted: specOf,
    inherits: [malformedSelectorValues(() => true, isIn('spec.podSelector'))],
    strategy: {
      updateChecks: ['metadata', 'object', 'metadata-change'],
      validate,
      validateUpdate: validate,
    },
  });
}

/** A policy applies to ingress, and to egress if it has egress rules. */
function withTypes(spec: JsonObject): JsonObject {
  const { policyTypes, egress } = spec as NonNullable<NetworkPolicy['spec']>;
  if (policyTypes?.length) return spec;
  return { ...spec, policyTypes: egress?.length ? ['Ingress', 'Egress'] : ['Ingress'] };
}

/** Defaults that depend on other fields. */
export const networkPolicyRules: DefaultRules = { 'api.networking.v1.NetworkPolicySpec': withTypes };

const TYPES = ['Ingress', 'Egress'];

function validate({ spec = {} }: NetworkPolicy): readonly FieldError[] {
  const { podSelector, ingress, egress, policyTypes = [] } = spec;
  return [
    ...validateLabelSelector(podSelector, 'spec.podSelector'),
    ...each('spec.ingress', ingress, ({ ports, from }, path) => [
      ...each(`${path}.ports`, ports, portErrors),
      ...each(`${path}.from`, from, peerErrors),
    ]),
    ...each('spec.egress', egress, ({ ports, to }, path) => [
      ...each(`${path}.ports`, ports, portErrors),
      ...each(`${path}.to`, to, peerErrors),
    ]),
    ...(policyTypes.length > TYPES.length
      ? [FieldErrors.invalid('spec.policyTypes', policyTypes, 'may not specify more than two policyTypes')]
      : each('spec.policyTypes', policyTypes, (type, path) => choiceErrors(path, type, TYPES))),
  ];
}

function portErrors({ protocol, port, endPort }: Port, path: string): readonly FieldError[] {
  const end = `${path}.endPort`;
  const lonely = port === undefined ? 'not specified' : 'non-numeric';
  return [
    ...choiceErrors(`${path}.protocol`, protocol, ['TCP', 'UDP', 'SCTP']),
    ...(typeof port === 'number' ? portNumber(`${path}.port`, port) : []),
    ...(typeof port === 'number' && endPort !== undefined
      ? [
          ...(endPort < port
            ? [FieldErrors.invalid(end, port, 'must be greater than or equal to `port`')]
            : []),
          ...portNumber(end, endPort),
        ]
      : []),
    ...(typeof port !== 'number' && endPort !== undefined
      ? [FieldErrors.invalid(end, endPort, `may not be specified when \`port\` is ${lonely}`)]
      : []),
    ...(typeof port === 'string' ? follows(`${path}.port`, port, portNameErrors) : []),
  ];
}

function peerErrors({ podSelector, namespaceSelector, ipBlock }: Peer, path: string): readonly FieldError[] {
  const selects = podSelector !== undefined || namespaceSelector !== undefined;
  return [
    ...validateLabelSelector(podSelector, `${path}.podSelector`),
    ...validateLabelSelector(namespaceSelector, `${path}.namespaceSelector`),
    ...(ipBlock ? blockErrors(ipBlock, `${path}.ipBlock`) : []),
    ...(selects || ipBlock ? [] : [FieldErrors.required(path, 'must specify a peer')]),
    ...(selects && ipBlock
      ? [FieldErrors.forbidden(path, 'may not specify both ipBlock and another peer')]
      : []),
  ];
}

function blockErrors({ cidr, except }: NonNullable<Peer['ipBlock']>, path: string): readonly FieldError[] {
  if (!cidr) return required(`${path}.cidr`, cidr);
  const range = parseCidr(cidr);
  if (!range) return validateCidr(`${path}.cidr`, cidr);
  return each(`${path}.except`, except, (text, at) => {
    const part = parseCidr(text);
    if (!part) return validateCidr(at, text);
    return isStrictSubset(part, range)
      ? []
      : [FieldErrors.invalid(at, text, 'must be a strict subset of `cidr`')];
  });
}

type Cidr = NonNullable<ReturnType<typeof parseCidr>>;

/** Whether the network of a range is in that of a shorter prefix. IPv4 in the form of IPv6 is IPv4. */
function isStrictSubset(part: Cidr, range: Cidr): boolean {
  if (part.prefixLength <= range.prefixLength) return false;
  const network = networkOf(range);
  const cut = range.address.length - network.length;
  const inner = maskedIpAddress(networkOf(part), range.prefixLength - 8 * cut);
  return inner.length === network.length && inner.every((byte, index) => byte === network[index]);
}

const networkOf = ({ address, prefixLength }: Cidr): Uint8Array =>
  unmappedIpAddress(maskedIpAddress(address, prefixLength));
