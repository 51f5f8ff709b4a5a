import {
  type ApiObject,
  compareUtf8,
  type FieldError,
  FieldErrors,
  type JsonObject,
  jsonEqual,
  qualifiedNameErrors,
  requiredChoiceErrors,
  type Vocabulary,
  validateCidr,
} from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, column, nameColumn, wide } from '../../types/columns.ts';
import { orElse } from '../cells.ts';
import { each, follows } from '../field-rules.ts';
import { nodeSchema } from '../shapes/core/node.ts';
import { workloadType } from '../workload-type.ts';
import { proxyOptions } from './connection-options.ts';
import { withFirst } from './pod-defaults.ts';
import type { Condition } from './pod-types.ts';

interface Taint {
  readonly key?: string;
  readonly value?: string;
  readonly effect?: string;
}

/** A machine that runs pods. */
interface Node extends ApiObject {
  readonly spec?: {
    readonly podCIDRs?: readonly string[];
    readonly providerID?: string;
    readonly unschedulable?: boolean;
    readonly taints?: readonly Taint[];
  };
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly addresses?: readonly { readonly type?: string; readonly address?: string }[];
    readonly nodeInfo?: {
      readonly kubeletVersion?: string;
      readonly osImage?: string;
      readonly kernelVersion?: string;
      readonly containerRuntimeVersion?: string;
    };
  };
}

type NodeInfo = NonNullable<NonNullable<Node['status']>['nodeInfo']>;

const infoCell =
  (part: keyof NodeInfo) =>
  ({ status }: Node) =>
    orElse(status?.nodeInfo?.[part], '<unknown>');

const addressCell =
  (addressType: string) =>
  ({ status }: Node) =>
    orElse(status?.addresses?.find(({ type }) => type === addressType)?.address, '<none>');

/** Nodes (semantics/verbs#kinds, semantics/list-and-watch#field-selectors, semantics/tables#built-in-columns). */
export function nodes({ labelDomain }: Vocabulary): ResourceDefinition {
  return workloadType({
    group: '',
    kind: 'Node',
    plural: 'nodes',
    shortNames: ['no'],
    scope: 'Cluster',
    schema: nodeSchema,
    rules: {
      'api.core.v1.NodeSpec': (spec) => withFirst(spec, 'podCIDR', 'podCIDRs', (cidr) => cidr),
      'api.core.v1.NodeStatus': withAllocatable,
    },
    columns: [
      nameColumn,
      column('Status', 'Whether it is ready and takes pods.', statusText),
      column('Roles', 'What it is for.', (node: Node) => rolesText(node, labelDomain)),
      ageColumn,
      column(
        'Version',
        'Version of its agent.',
        ({ status }: Node) => status?.nodeInfo?.kubeletVersion ?? '',
      ),
      wide(column('Internal-IP', 'Its address within the cluster.', addressCell('InternalIP'))),
      wide(column('External-IP', 'Its address outside of it.', addressCell('ExternalIP'))),
      wide(column('OS-Image', 'Its operating system.', infoCell('osImage'))),
      wide(column('Kernel-Version', 'Version of its kernel.', infoCell('kernelVersion'))),
      wide(column('Container-Runtime', 'What runs its containers.', infoCell('containerRuntimeVersion'))),
    ],
    selectableFields: {
      names: ['spec.unschedulable'],
      valueOf: ({ spec }: Node) => String(spec?.unschedulable ?? false),
    },
    status: { validate: changeErrors },
    bringsStatus: true,
    connections: [
      {
        name: 'proxy',
        kind: 'NodeProxyOptions',
        verbs: ['create', 'delete', 'get', 'patch', 'update'],
        withPath: true,
        options: proxyOptions('NodeProxyOptions'),
      },
    ],
    strategy: {
      updateChecks: ['metadata', 'metadata-change'],
      validate,
      validateUpdate: (node, stored) => [...validate(node), ...changeErrors(node, stored)],
    },
  });
}

function withAllocatable(status: JsonObject): JsonObject {
  const { capacity, allocatable } = status;
  return capacity && !allocatable ? { ...status, allocatable: capacity } : status;
}

function statusText({ spec, status }: Node): string {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  const text = ready ? (ready.status === 'True' ? 'Ready' : 'NotReady') : 'Unknown';
  return spec?.unschedulable ? `${text},SchedulingDisabled` : text;
}

function rolesText({ metadata: { labels = {} } }: Node, labelDomain: string): string {
  const prefix = `node-role.${labelDomain}/`;
  const roles = Object.entries(labels).flatMap(([key, value]) => {
    if (key.startsWith(prefix)) return key.slice(prefix.length) || [];
    return key === `${labelDomain}/role` ? value || [] : [];
  });
  return [...new Set(roles)].sort(compareUtf8).join(',') || '<none>';
}

function validate({ spec = {} }: Node): readonly FieldError[] {
  return [
    ...each('metadata.taints', spec.taints, ({ key = '', effect }, path) => [
      ...follows(`${path}.key`, key, qualifiedNameErrors),
      ...requiredChoiceErrors(`${path}.effect`, effect, ['NoSchedule', 'PreferNoSchedule', 'NoExecute']),
    ]),
    ...each('spec.podCIDRs', spec.podCIDRs, (cidr, path) => validateCidr(path, cidr)),
  ];
}

function changeErrors({ spec = {} }: Node, { spec: was = {} }: Node): readonly FieldError[] {
  const { podCIDRs: before = [], providerID } = was;
  return [
    ...(before.length > 0 && !jsonEqual(spec.podCIDRs ?? [], before)
      ? [
          FieldErrors.forbidden(
            'spec.podCIDRs',
            'node updates may not change podCIDR except from "" to valid',
          ),
        ]
      : []),
    ...(providerID && spec.providerID !== providerID
      ? [
          FieldErrors.forbidden(
            'spec.providerID',
            'node updates may not change providerID except from "" to valid',
          ),
        ]
      : []),
  ];
}
