import { compareUtf8, groupName, type Vocabulary } from '@ashlar/core';
import type { FlowSchema, PriorityLevel } from '@ashlar/flow-control';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, column, nameColumn } from '../../types/columns.ts';
import { allRestoredMetadata } from '../restored-metadata.ts';
import { flowSchemaSchema } from '../shapes/flowcontrol/flow-schema.ts';
import { priorityLevelConfigurationSchema } from '../shapes/flowcontrol/priority-level-configuration.ts';
import { specOf, type WorkloadType, workloadType } from '../workload-type.ts';
import { conditionErrors, flowSchemaErrors } from './flow-validation.ts';
import { priorityLevelErrors } from './priority-validation.ts';

/** A status is written without metadata. */
const statusAlone: NonNullable<WorkloadType['status']> = {
  restoredMetadata: allRestoredMetadata,
  updateChecks: [],
  validate: ({ status }: FlowSchema) => conditionErrors(status?.conditions),
  resetFields: [['spec'], ['metadata']],
};

/** Rows are in the order in which the schemas are asked. */
function byPrecedence(a: FlowSchema, b: FlowSchema): number {
  const difference = (a.spec?.matchingPrecedence ?? 0) - (b.spec?.matchingPrecedence ?? 0);
  return difference || compareUtf8(a.metadata.name ?? '', b.metadata.name ?? '');
}

/** Flow schemas, which classify requests (semantics/verbs#kinds, semantics/tables#built-in-columns). */
export function flowSchemas(vocabulary: Vocabulary): ResourceDefinition {
  const validate = flowSchemaErrors(vocabulary);
  return workloadType({
    group: groupName(vocabulary, 'flowcontrol.apiserver.'),
    kind: 'FlowSchema',
    plural: 'flowschemas',
    rowOrder: byPrecedence,
    scope: 'Cluster',
    schema: flowSchemaSchema,
    columns: [
      nameColumn,
      column(
        'PriorityLevel',
        'The priority of its flows.',
        ({ spec }: FlowSchema) => spec?.priorityLevelConfiguration?.name ?? '',
      ),
      column(
        'MatchingPrecedence',
        'Which schema comes first; the lowest does.',
        ({ spec }: FlowSchema) => spec?.matchingPrecedence ?? 0,
      ),
      column(
        'DistinguisherMethod',
        'What distinguishes its flows.',
        ({ spec }: FlowSchema) => spec?.distinguisherMethod?.type ?? '<none>',
      ),
      ageColumn,
      column(
        'MissingPL',
        'Whether its priority is missing.',
        ({ status }: FlowSchema) =>
          status?.conditions?.find(({ type }) => type === 'Dangling')?.status ?? '?',
      ),
    ],
    status: statusAlone,
    counted: specOf,
    strategy: {
      updateChecks: ['metadata'],
      validate,
      validateUpdate: validate,
    },
  });
}

const queuing =
  (part: 'queues' | 'handSize' | 'queueLengthLimit') =>
  ({ spec }: PriorityLevel) =>
    spec?.limited?.limitResponse?.queuing?.[part] ?? '<none>';

/** Priorities of requests. */
export function priorityLevelConfigurations(vocabulary: Vocabulary): ResourceDefinition {
  const validate = priorityLevelErrors(vocabulary);
  return workloadType({
    group: groupName(vocabulary, 'flowcontrol.apiserver.'),
    kind: 'PriorityLevelConfiguration',
    plural: 'prioritylevelconfigurations',
    scope: 'Cluster',
    schema: priorityLevelConfigurationSchema,
    columns: [
      nameColumn,
      column('Type', 'Whether it is limited.', ({ spec }: PriorityLevel) => spec?.type ?? ''),
      column(
        'NominalConcurrencyShares',
        'Its share of all.',
        ({ spec }: PriorityLevel) => spec?.limited?.nominalConcurrencyShares ?? '<none>',
      ),
      column('Queues', 'How many queues it has.', queuing('queues')),
      column('HandSize', 'How many of them a flow may use.', queuing('handSize')),
      column('QueueLengthLimit', 'How long they may grow.', queuing('queueLengthLimit')),
      ageColumn,
    ],
    status: statusAlone,
    counted: specOf,
    strategy: {
      updateChecks: ['metadata'],
      validate,
      validateUpdate: validate,
    },
  });
}
