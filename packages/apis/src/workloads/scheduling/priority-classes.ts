import { type ApiObject, type FieldError, FieldErrors, groupName, type Vocabulary } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, column, nameColumn } from '../../types/columns.ts';
import { booleanColumn, integerColumn } from '../cells.ts';
import { forbiddenWhen, optionalOneOf, unchanged } from '../field-rules.ts';
import { priorityClassSchema } from '../shapes/scheduling/priority-class.ts';
import { workloadType } from '../workload-type.ts';

/** A priority by name. */
interface PriorityClass extends ApiObject {
  readonly value?: number;
  readonly globalDefault?: boolean;
  readonly preemptionPolicy?: string;
}

const HIGHEST = 1_000_000_000;
const RESERVED = 'system-';
const SYSTEM: ReadonlyMap<string, number> = new Map([
  ['system-node-critical', 2_000_001_000],
  ['system-cluster-critical', 2_000_000_000],
]);

/** Priority classes. */
export function priorityClasses(vocabulary: Vocabulary): ResourceDefinition {
  return workloadType({
    group: groupName(vocabulary, 'scheduling.'),
    kind: 'PriorityClass',
    plural: 'priorityclasses',
    shortNames: ['pc'],
    scope: 'Cluster',
    schema: priorityClassSchema,
    columns: [
      nameColumn,
      integerColumn('Value', 'The priority.', ({ value }: PriorityClass) => value),
      booleanColumn(
        'Global-Default',
        'Whether pods have it that choose none.',
        ({ globalDefault = false }: PriorityClass) => globalDefault,
      ),
      ageColumn,
      column(
        'PreemptionPolicy',
        'Whether others may be ended for its pods.',
        ({ preemptionPolicy = '' }: PriorityClass) => preemptionPolicy,
      ),
    ],
    counted: () => undefined,
    strategy: {
      deletionRefusal: (name) =>
        SYSTEM.has(name) ? 'this is a system priority class and cannot be deleted' : undefined,
      updateChecks: ['metadata-change'],
      validate,
      validateUpdate: (object: PriorityClass, stored: PriorityClass) => [
        ...(object.value === stored.value
          ? []
          : [FieldErrors.forbidden('value', 'may not be changed in an update.')]),
        ...unchanged('preemptionPolicy', object.preemptionPolicy, stored.preemptionPolicy),
      ],
    },
  });
}

function validate({
  metadata,
  value = 0,
  globalDefault,
  preemptionPolicy,
}: PriorityClass): readonly FieldError[] {
  const name = metadata.name ?? '';
  const policies = ['PreemptLowerPriority', 'Never'];
  return [
    ...(name.startsWith(RESERVED) ? reservedErrors(name, value, globalDefault) : []),
    ...(!name.startsWith(RESERVED) && value > HIGHEST
      ? [FieldErrors.forbidden('value', `maximum allowed value of a user defined priority is ${HIGHEST}`)]
      : []),
    ...optionalOneOf('preemptionPolicy', preemptionPolicy, policies),
  ];
}

/** Errors of a class whose name is reserved: the system's own ones have fixed values. */
function reservedErrors(name: string, value: number, globalDefault = false): readonly FieldError[] {
  const known = SYSTEM.get(name);
  const why =
    known === undefined
      ? `${name} is not a known system priority class`
      : known === value
        ? `globalDefault of ${name} PriorityClass must be false`
        : `value of ${name} PriorityClass must be ${known}`;
  return forbiddenWhen(
    known !== value || globalDefault,
    'metadata.name',
    `priority class names with '${RESERVED}' prefix are reserved for system use only. error: ${why}`,
  );
}
