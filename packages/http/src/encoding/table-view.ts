import {
  type ApiObject,
  FieldErrors,
  fieldErrorText,
  type JsonValue,
  metaGroup,
  StatusError,
} from '@ashlar/core';
import type { Answer, ColumnDefinition } from '@ashlar/registry';
import type { ServedResource } from '../catalog/served-resource.ts';
import { glanceAt } from './object-encoding.ts';
import type { Transform } from './representation.ts';

/** What a row carries besides its cells. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

/**
 * Reads `includeObject`.
 * @throws StatusError 400
 */
export function parseIncludeObject(value: string | undefined): IncludeObject {
  if (value === undefined || value === '') return 'Metadata';
  if (value === 'None' || value === 'Metadata' || value === 'Object') return value;
  const error = FieldErrors.invalid('includeObject', value, "must be 'Metadata', 'Object', 'None', or empty");
  throw StatusError.badRequest(`Unable to convert to Table as requested: ${fieldErrorText(error)}`);
}

export interface TableRequest {
  readonly transform: Transform;
  readonly include: IncludeObject;
  /** Milliseconds since 1970, for ages. */
  readonly now: number;
  /** Watches name the columns in their first event only. */
  readonly withoutColumns?: boolean;
}

/** Objects as the rows of a table (semantics/tables#shapes). */
export function toTable(
  served: ServedResource,
  answers: readonly Answer[],
  metadata: object,
  { transform, include, now, withoutColumns }: TableRequest,
): object {
  const rows = answers.map((answer) => row(served, glanceAt(answer), { transform, include, now }));
  return { ...tableHead(served, metadata, transform, withoutColumns), rows };
}

/** All of a table but its rows. */
export function tableHead(
  served: ServedResource,
  metadata: object,
  transform: Transform,
  withoutColumns: boolean | undefined,
): object {
  return {
    kind: 'Table',
    apiVersion: metaVersion(served, transform),
    metadata,
    columnDefinitions: withoutColumns ? null : columnsOf(served).map(printedColumn),
  };
}

const metaVersion = ({ vocabulary }: ServedResource, { version }: Transform): string =>
  `${metaGroup(vocabulary)}/${version}`;

/** The columns of a type; those that declare none have two (semantics/tables#default-table). */
export const columnsOf = ({ version }: ServedResource): readonly ColumnDefinition[] =>
  version.columns ?? defaultColumns;

/** What holds of a row as a whole. */
export function conditionsOf({ definition }: ServedResource, object: ApiObject): object {
  const conditions = definition.rowConditions?.(object) ?? [];
  return conditions.length > 0 ? { conditions } : {};
}

/** One row. */
export function row(
  served: ServedResource,
  object: ApiObject,
  { transform, include, now }: TableRequest,
): object {
  const cells = columnsOf(served).map((column) => column.cell(object, now));
  const apiVersion = metaVersion(served, transform);
  return { cells, ...conditionsOf(served, object), object: rowObject(object, include, apiVersion) };
}

function rowObject(object: ApiObject, include: IncludeObject, apiVersion: string): object | null {
  if (include === 'None') return null;
  return include === 'Object'
    ? object
    : { kind: 'PartialObjectMetadata', apiVersion, metadata: object.metadata };
}

function printedColumn({
  name,
  type,
  format = '',
  description = '',
  priority = 0,
}: ColumnDefinition): object {
  return { name, type, format, description, priority };
}

/** Columns of kinds that declare none (semantics/tables#default-table). */
const defaultColumns: readonly ColumnDefinition[] = [
  {
    name: 'Name',
    type: 'string',
    format: 'name',
    cell: ({ metadata }): JsonValue => metadata.name ?? '',
    timeless: true,
  },
  {
    name: 'Created At',
    type: 'date',
    cell: ({ metadata }): JsonValue => metadata.creationTimestamp ?? '',
    timeless: true,
  },
];
