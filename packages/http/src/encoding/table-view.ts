import { type ApiObject, type JsonValue, metaGroup, runAtOnce, type Steps } from '@ashlar/core';
import type { ColumnDefinition, ResultObject } from '@ashlar/registry';
import type { EncodedResource } from './encoded-resource.ts';
import type { IncludeObject } from './include-object.ts';
import { mapInStrides, STRIDE } from './map-in-strides.ts';
import { metadataAlone } from './metadata-alone.ts';
import type { Transform } from './representation.ts';
import { uncachedObjectOf } from './result-object.ts';

/** How a table is to be built. */
export interface TableRequest {
  readonly transform: Transform;
  readonly include: IncludeObject;
  /** Milliseconds since 1970, for ages. */
  readonly now: number;
  /** Watches name the columns in their first event only. */
  readonly withoutColumns?: boolean;
}

/** Returns objects as the rows of a table (semantics/tables#shapes). */
export function toTable(
  served: EncodedResource,
  results: readonly ResultObject[],
  metadata: object,
  request: TableRequest,
): object {
  return runAtOnce(toTableSteps(served, results, metadata, request));
}

/** The same with pauses. */
export function* toTableSteps(
  served: EncodedResource,
  results: readonly ResultObject[],
  metadata: object,
  { transform, include, now, withoutColumns }: TableRequest,
): Steps<object> {
  const toRow = (result: ResultObject): object =>
    row(served, uncachedObjectOf(result), { transform, include, now });
  const rows = yield* mapInStrides(results, toRow, rowStride(served));
  return {
    ...tableHead(served, metadata, transform, withoutColumns),
    rows: rows.length > 0 ? rows : noRows(served),
  };
}

/** Bytes of objects whose rows are made between two pauses: one row if its cells are costly. */
export const rowStride = (served: EncodedResource): number =>
  columnsOf(served).some(({ isCostly }) => isCostly) ? 1 : STRIDE;

/** Returns a table without its rows. */
export function tableHead(
  served: EncodedResource,
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

const metaVersion = ({ vocabulary }: EncodedResource, { version }: Transform): string =>
  `${metaGroup(vocabulary)}/${version}`;

/** Returns the columns of a type; types that declare none have two (semantics/tables#default-table). */
export const columnsOf = ({ version }: EncodedResource): readonly ColumnDefinition[] =>
  version.columns ?? defaultColumns;

/** What an empty table has as rows: of a type without columns of its own null (semantics/tables#default-table). */
export const noRows = ({ version }: EncodedResource): readonly object[] | null =>
  version.columns ? [] : null;

/** Returns the conditions of a row as a member to spread; empty if there are none. */
export function conditionsOf({ definition }: EncodedResource, object: ApiObject): object {
  const conditions = definition.rowConditions?.(object) ?? [];
  return conditions.length > 0 ? { conditions } : {};
}

/** Returns one row. */
export function row(
  served: EncodedResource,
  object: ApiObject,
  { transform, include, now }: TableRequest,
): object {
  const cells = columnsOf(served).map((column) => column.cell(object, now));
  const apiVersion = metaVersion(served, transform);
  return { cells, ...conditionsOf(served, object), object: rowObject(served, object, include, apiVersion) };
}

function rowObject(
  served: EncodedResource,
  object: ApiObject,
  include: IncludeObject,
  apiVersion: string,
): object | null {
  if (include === 'None') return null;
  return include === 'Object'
    ? object
    : { kind: 'PartialObjectMetadata', apiVersion, metadata: metadataAlone(served, object.metadata) };
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
