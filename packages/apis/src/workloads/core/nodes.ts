import { compareUtf8, type JsonObject, type Vocabulary } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, column, nameColumn, wide } from '../../types/columns.ts';
import { orElse } from '../cells.ts';
import { nodeSchema } from '../shapes/core/node.ts';
import { workloadType } from '../workload-type.ts';
import { proxyOptions } from './connections/connection-options.ts';
import { addressedNode } from './connections/connection-targets.ts';
import { type Node, nodeChangeErrorsSteps, nodeErrorsSteps, nodeWarnings } from './node-validation.ts';
import { withFirst } from './pod-defaults.ts';

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
export function nodes(vocabulary: Vocabulary): ResourceDefinition {
  const { labelDomain } = vocabulary;
  const changeErrorsSteps = (node: Node, stored: Node) => nodeChangeErrorsSteps(node, stored, vocabulary);
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
    status: { prepare: withoutConfigStatus, validateSteps: changeErrorsSteps },
    bringsStatus: true,
    connections: [
      {
        name: 'proxy',
        kind: 'NodeProxyOptions',
        verbs: ['create', 'delete', 'get', 'patch', 'update'],
        withPath: true,
        options: proxyOptions('NodeProxyOptions'),
        target: addressedNode,
      },
    ],
    strategy: {
      updateChecks: ['metadata', 'object', 'metadata-change'],
      prepareForCreate: (node) => withoutRemovedStatus(withoutConfigSource(node, undefined)),
      prepareForUpdate: withoutConfigSource,
      validateSteps: (node) => nodeErrorsSteps(node, vocabulary),
      warnings: (node) => nodeWarnings(node, vocabulary),
      validateUpdateSteps: changeErrorsSteps,
    },
  });
}

/** Nodes do not take their settings from config maps any more: only those that do so already may go on. */
function withoutConfigSource(node: Node, stored: Node | undefined): Node {
  if (!node.spec?.configSource || stored?.spec?.configSource) return node;
  const { configSource: _, ...spec } = node.spec;
  return { ...node, spec };
}

/** Drops what the status of a new node says of such settings, and of features, whose gate is off. */
function withoutRemovedStatus(node: Node): Node {
  const { config, features, ...status } = node.status ?? {};
  return config || features ? { ...node, status } : node;
}

/** Drops what a changed status says of such settings, unless it said so already; of features anything may be said. */
function withoutConfigStatus(node: Node, stored: Node | undefined): Node {
  const { config, ...status } = node.status ?? {};
  return config && !stored?.status?.config ? { ...node, status } : node;
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
  const roles = new Set<string>();
  for (const key in labels) {
    if (key.startsWith(prefix)) roles.add(key.slice(prefix.length));
  }
  roles.add(labels[`${labelDomain}/role`] ?? '');
  roles.delete('');
  return [...roles].sort(compareUtf8).join(',') || '<none>';
}
