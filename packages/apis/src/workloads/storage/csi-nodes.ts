import {
  type ApiObject,
  dns1123SubdomainErrors,
  type FieldError,
  FieldErrors,
  groupName,
  type JsonValue,
  jsonEqual,
  type Vocabulary,
} from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, nameColumn } from '../../types/columns.ts';
import { integerColumn } from '../cells.ts';
import { each, named, nonNegative, repetition, required } from '../field-rules.ts';
import { csiNodeSchema } from '../shapes/storage/csi-node.ts';
import { workloadType } from '../workload-type.ts';

interface Driver {
  readonly name?: string;
  readonly nodeID?: string;
  readonly allocatable?: { readonly count?: number };
}

/** The volume drivers of a node. */
interface CsiNode extends ApiObject {
  readonly spec?: { readonly drivers?: readonly Driver[] | null };
}

/** Volume drivers by node. */
export function csiNodes(vocabulary: Vocabulary): ResourceDefinition {
  return workloadType({
    group: groupName(vocabulary, 'storage.'),
    kind: 'CSINode',
    plural: 'csinodes',
    scope: 'Cluster',
    schema: csiNodeSchema,
    columns: [
      nameColumn,
      integerColumn('Drivers', 'How many drivers it has.', ({ spec }: CsiNode) => spec?.drivers?.length),
      ageColumn,
    ],
    strategy: {
      updateChecks: ['whole', 'object', 'whole'],
      allowsUnconditionalUpdate: false,
      returnsDeletedObject: true,
      validate,
      validateUpdate: (object: CsiNode, stored: CsiNode) => [
        ...validate(object),
        ...changeErrors(object, stored),
      ],
    },
  });
}

function validate({ spec }: CsiNode): readonly FieldError[] {
  const repeated = repetition();
  return [
    ...each('spec.drivers', spec?.drivers, ({ name, nodeID, allocatable }, path) => [
      ...named(`${path}.name`, name?.toLowerCase(), dns1123SubdomainErrors),
      ...required(`${path}.nodeID`, nodeID),
      ...nonNegative(`${path}.allocatable.count`, allocatable?.count),
      ...(repeated(name) ? [FieldErrors.duplicate(`${path}.name`, name)] : []),
    ]),
  ];
}

function changeErrors({ spec }: CsiNode, stored: CsiNode): readonly FieldError[] {
  const before = new Map((stored.spec?.drivers ?? []).map((driver) => [driver.name, driver]));
  return (spec?.drivers ?? []).flatMap((driver) => {
    const was = before.get(driver.name);
    if (!was || jsonEqual(driver as unknown as JsonValue, was as unknown as JsonValue)) return [];
    return [FieldErrors.invalid('CSINodeDriver', driver, 'field is immutable')];
  });
}
