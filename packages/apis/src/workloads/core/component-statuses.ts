import { StatusError } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { builtInType } from '../../types/built-in-type.ts';
import { kindSchema } from '../../types/kind-schema.ts';
import { printed, string, type } from '../../types/schema-fields.ts';
import { listOf, mergedBy } from '../shape-fields.ts';

const condition = type(
  'api.core.v1.ComponentCondition',
  {
    type: printed(string(1)),
    status: printed(string(2)),
    message: string(3),
    error: string(4),
  },
  { required: ['type', 'status'] },
);

const schema = kindSchema('api.core.v1.ComponentStatus', 'How a component of a cluster is.', {
  conditions: listOf(2, condition, { ...mergedBy('type'), listType: 'map', listMapKeys: ['type'] }),
});

/** The health of a cluster's components, for clients that still request it. There are none: lists are empty. */
export function componentStatuses(): ResourceDefinition {
  const about = { group: '', resource: 'componentstatuses' };
  return builtInType({
    group: '',
    kind: 'ComponentStatus',
    plural: 'componentstatuses',
    shortNames: ['cs'],
    scope: 'Cluster',
    version: { schema, warning: 'v1 ComponentStatus is deprecated in v1.19+' },
    strategy: {},
    storage: {
      get: (_context, { name }) => {
        throw StatusError.notFound(about, name);
      },
      list: () => ({ items: [], resourceVersion: '' }),
    },
  });
}
