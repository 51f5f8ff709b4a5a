import {
  type ApiObject,
  type FieldError,
  FieldErrors,
  groupName,
  type JsonValue,
  jsonEqual,
  qualifiedNameErrors,
  utf8Length,
  type Vocabulary,
} from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, nameColumn } from '../../types/columns.ts';
import { integerColumn } from '../cells.ts';
import { each, follows, invalidWhen, nonNegative, required } from '../field-rules.ts';
import { driverNameErrors } from '../pods/volumes/volume-drivers.ts';
import { csiNodeSchema } from '../shapes/storage/csi-node.ts';
import { workloadType } from '../workload-type.ts';

interface Driver {
  readonly name?: string;
  readonly nodeID?: string;
  readonly allocatable?: { readonly count?: number };
  readonly topologyKeys?: readonly string[] | null;
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
      updateChecks: ['metadata', 'object', 'metadata'],
      allowsUnconditionalUpdate: false,
      returnsDeletedObject: true,
      prepareForCreate: withoutEmptyDrivers,
      validate,
      validateUpdate: (object: CsiNode, stored: CsiNode) => [
        ...validate(object),
        ...changeErrors(object, stored),
      ],
    },
  });
}

/** An empty list of drivers is stored as null. */
function withoutEmptyDrivers(node: CsiNode): ApiObject {
  return node.spec?.drivers?.length === 0 ? { ...node, spec: { ...node.spec, drivers: null } } : node;
}

const LONGEST_ID = 256;

function validate({ spec }: CsiNode): readonly FieldError[] {
  const names = new Set<string>();
  return each('spec.drivers', spec?.drivers, (driver, path) => {
    const { name = '', nodeID = '', allocatable, topologyKeys } = driver;
    const isRepeated = names.has(name);
    names.add(name);
    return [
      ...driverNameErrors(name, `${path}.name`),
      ...required(`${path}.nodeID`, nodeID),
      ...invalidWhen(
        utf8Length(nodeID) > LONGEST_ID,
        `${path}.nodeID`,
        nodeID,
        `must be ${LONGEST_ID} characters or less`,
      ),
      ...nonNegative(`${path}.allocatable.count`, allocatable?.count),
      ...(isRepeated ? [FieldErrors.duplicate(`${path}.name`, name)] : []),
      ...topologyErrors(topologyKeys ?? [], path),
    ];
  });
}

/** Errors of keys name the driver. */
function topologyErrors(keys: readonly string[], path: string): readonly FieldError[] {
  const seen = new Set<string>();
  return keys.flatMap((key) => {
    const isRepeated = seen.has(key);
    seen.add(key);
    return [
      ...required(path, key),
      ...(isRepeated ? [FieldErrors.duplicate(path, key)] : []),
      ...follows(path, key, qualifiedNameErrors),
    ];
  });
}

function changeErrors({ spec }: CsiNode, stored: CsiNode): readonly FieldError[] {
  const before = new Map((stored.spec?.drivers ?? []).map((driver) => [driver.name, driver]));
  return (spec?.drivers ?? []).flatMap((driver) => {
    const was = before.get(driver.name);
    if (!was || jsonEqual(driver as unknown as JsonValue, was as unknown as JsonValue)) return [];
    return [FieldErrors.invalid('CSINodeDriver', driver, 'field is immutable')];
  });
}
