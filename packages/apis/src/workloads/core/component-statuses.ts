import {
  type ApiObject,
  type FieldSelector,
  type LabelSelector,
  StatusError,
  type Vocabulary,
} from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { builtInType } from '../../types/built-in-type.ts';
import { column, nameColumn } from '../../types/columns.ts';
import { kindSchema } from '../../types/kind-schema.ts';
import { printed, string, type } from '../../types/schema-fields.ts';
import { listOf, mergedBy, textOf } from '../shape-fields.ts';

const condition = type(
  'api.core.v1.ComponentCondition',
  {
    type: printed(textOf(1, 'api.core.v1.ComponentConditionType')),
    status: printed(textOf(2, 'api.core.v1.ConditionStatus')),
    message: string(3),
    error: string(4),
  },
  { required: ['type', 'status'] },
);

const schema = kindSchema('api.core.v1.ComponentStatus', 'How a component of a cluster is.', {
  conditions: listOf(2, condition, { ...mergedBy('type'), listType: 'map', listMapKeys: ['type'] }),
});

/** How a component was when it was asked. */
export interface ComponentHealth {
  readonly status: 'True' | 'False' | 'Unknown';
  /** What the component answered, or why it did not. */
  readonly message?: string;
  /** Why the component could not be asked. */
  readonly error?: string;
}

/** A component of a cluster that a host can ask for its health. */
export interface ClusterComponent {
  /** As in paths: `scheduler`. */
  readonly name: string;
  /** Must not reject: what goes wrong is part of the answer. */
  check(): Promise<ComponentHealth>;
}

interface ComponentStatus extends ApiObject {
  readonly conditions: readonly ({ readonly type: string } & ComponentHealth)[];
}

/**
 * The health of a cluster's components, asked anew by every request. Nothing is stored or watched.
 * @param components those of the host; by default there are none
 */
export function componentStatuses(
  _vocabulary: Vocabulary,
  { components = [] }: { readonly components?: readonly ClusterComponent[] } = {},
): ResourceDefinition {
  return builtInType({
    group: '',
    kind: 'ComponentStatus',
    plural: 'componentstatuses',
    shortNames: ['cs'],
    scope: 'Cluster',
    version: { schema, warning: 'v1 ComponentStatus is deprecated in v1.19+', columns: COLUMNS },
    strategy: {},
    ignoresVersions: true,
    storage: {
      get(_context, { name }) {
        const component = components.find((candidate) => candidate.name === name);
        if (component) return statusOf(component);
        throw new StatusError({ code: 500, reason: '', message: `Component not found: ${name}` });
      },
      async list(_context, { labels, fields }) {
        const selected = components.filter(({ name }) => isSelected(name, labels, fields));
        return { items: await Promise.all(selected.map(statusOf)), resourceVersion: '' };
      },
    },
  });
}

/** Components have a name and no labels. */
const isSelected = (name: string, labels: LabelSelector, fields: FieldSelector): boolean =>
  labels.matches(undefined) && fields.matches((field) => (field === 'metadata.name' ? name : ''));

async function statusOf(component: ClusterComponent): Promise<ComponentStatus> {
  const { status, message = '', error = '' } = await component.check();
  const said = { ...(message !== '' && { message }), ...(error !== '' && { error }) };
  return {
    apiVersion: 'v1',
    kind: 'ComponentStatus',
    metadata: { name: component.name, creationTimestamp: null },
    conditions: [{ type: 'Healthy', status, ...said }],
  } as ComponentStatus;
}

const health = (object: ApiObject): Partial<ComponentHealth> =>
  (object as ComponentStatus).conditions[0] ?? {};

const COLUMNS = [
  nameColumn,
  column('Status', 'Whether the component is healthy.', (object) =>
    health(object).status === 'True' ? 'Healthy' : 'Unhealthy',
  ),
  column('Message', 'What the component answered.', (object) => health(object).message ?? ''),
  column('Error', 'Why the component could not be asked.', (object) => health(object).error ?? ''),
];
