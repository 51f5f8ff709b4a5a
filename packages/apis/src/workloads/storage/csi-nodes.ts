import {
  type ApiObject,
  type FieldError,
  FieldErrors,
  fieldErrorsOf,
  fieldErrorsOfSteps,
  groupName,
  type JsonValue,
  jsonEqual,
  MAXIMUM_FIELD_ERRORS,
  qualifiedNameErrors,
  type Steps,
  utf8Length,
  type Vocabulary,
} from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, nameColumn } from '../../types/columns.ts';
import { integerColumn } from '../cells.ts';
import { follows, invalidWhen, nonNegative, required } from '../field-rules.ts';
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
      validateSteps,
      *validateUpdateSteps(object: CsiNode, stored: CsiNode) {
        return [...(yield* validateSteps(object)), ...changeErrors(object, stored)];
      },
    },
  });
}

/** An empty list of drivers is stored as null. */
function withoutEmptyDrivers(node: CsiNode): ApiObject {
  return node.spec?.drivers?.length === 0 ? { ...node, spec: { ...node.spec, drivers: null } } : node;
}

const LONGEST_ID = 256;

/** Drivers between pauses. */
const STRIDE = 64;

function* validateSteps({ spec }: CsiNode): Steps<readonly FieldError[]> {
  const names = new Set<string>();
  const errors: FieldError[] = [];
  for (const [index, driver] of (spec?.drivers ?? []).entries()) {
    const { name = '', nodeID = '', allocatable, topologyKeys } = driver;
    const path = `spec.drivers[${index}]`;
    const isRepeated = names.has(name);
    names.add(name);
    errors.push(
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
      ...(yield* topologyErrorsSteps(topologyKeys ?? [], path)),
    );
    if (errors.length > MAXIMUM_FIELD_ERRORS) break;
    if (index % STRIDE === STRIDE - 1) yield;
  }
  return errors;
}

/** Errors of keys name the driver. */
function topologyErrorsSteps(keys: readonly string[], path: string): Steps<readonly FieldError[]> {
  const seen = new Set<string>();
  return fieldErrorsOfSteps(keys, (key) => {
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
  return fieldErrorsOf(spec?.drivers ?? [], (driver) => {
    const was = before.get(driver.name);
    if (!was || jsonEqual(comparable(driver), comparable(was))) return [];
    return [FieldErrors.invalid('CSINodeDriver', driver, 'field is immutable')];
  });
}

/** No keys are as good as an empty list of them. */
const comparable = ({ topologyKeys, ...driver }: Driver): JsonValue =>
  ({ ...driver, topologyKeys: topologyKeys ?? [] }) as JsonValue;
