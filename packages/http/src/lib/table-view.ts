import { encodeJson } from '@ashlar/codec';
import {
  type ApiObject,
  FieldErrors,
  fieldErrorText,
  type JsonValue,
  metaGroup,
  StatusError,
} from '@ashlar/core';
import type { Answer, ColumnDefinition, ResourceDefinition } from '@ashlar/registry';
import { ObjectRecord } from '@ashlar/storage';
import { objectOf } from './object-encoding.ts';
import type { Transform } from './representation.ts';
import type { ServedResource } from './served-resource.ts';

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

/** Objects as the rows of a table (semantics E2). */
export function toTable(
  served: ServedResource,
  answers: readonly Answer[],
  metadata: object,
  { transform, include, now, withoutColumns }: TableRequest,
): object {
  const columns = served.version.columns ?? defaultColumns;
  const apiVersion = metaVersion(served, transform);
  const { rowConditions: conditionsOf } = served.definition;
  const request = { include, apiVersion, now, conditionsOf };
  const rows = answers.map((answer) => row(objectOf(answer), columns, request));
  return { ...tableHead(served, metadata, transform, withoutColumns), rows };
}

/** All of a table but its rows. */
export function tableHead(
  served: ServedResource,
  metadata: object,
  transform: Transform,
  withoutColumns: boolean | undefined,
): object {
  const columns = served.version.columns ?? defaultColumns;
  return {
    kind: 'Table',
    apiVersion: metaVersion(served, transform),
    metadata,
    columnDefinitions: withoutColumns ? null : columns.map(printedColumn),
  };
}

const metaVersion = (served: ServedResource, { version }: Transform): string =>
  `${metaGroup(served.vocabulary)}/${version}`;

interface RowRequest {
  readonly include: IncludeObject;
  readonly apiVersion: string;
  readonly now: number;
  readonly conditionsOf: ResourceDefinition['rowConditions'];
}

function row(
  object: ApiObject,
  columns: readonly ColumnDefinition[],
  { include, apiVersion, now, conditionsOf }: RowRequest,
): object {
  const cells = columns.map((column) => column.cell(object, now));
  const conditions = conditionsOf?.(object) ?? [];
  return {
    cells,
    ...(conditions.length > 0 && { conditions }),
    object: rowObject(object, include, apiVersion),
  };
}

/** One row as JSON; of a record made once a second, for its ages change no sooner. */
export function rowJson(
  served: ServedResource,
  answer: Answer,
  { transform, include, now }: TableRequest,
): Uint8Array {
  const columns = served.version.columns ?? defaultColumns;
  const { rowConditions: conditionsOf } = served.definition;
  const request = { include, apiVersion: metaVersion(served, transform), now, conditionsOf };
  const make = (): Uint8Array => encodeJson(row(objectOf(answer), columns, request) as unknown as JsonValue);
  if (!(answer instanceof ObjectRecord)) return make();
  const kept = answer.memo(
    `row/${transform.version}/${include}`,
    (): KeptRow => ({ second: -1, json: NOTHING }),
  );
  const second = Math.floor(now / 1000);
  if (kept.second !== second) {
    kept.second = second;
    kept.json = make();
  }
  return kept.json;
}

interface KeptRow {
  second: number;
  json: Uint8Array;
}

const NOTHING = new Uint8Array(0);

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

/** Columns of kinds that declare none (semantics E3). */
const defaultColumns: readonly ColumnDefinition[] = [
  { name: 'Name', type: 'string', format: 'name', cell: ({ metadata }): JsonValue => metadata.name ?? '' },
  { name: 'Created At', type: 'date', cell: ({ metadata }): JsonValue => metadata.creationTimestamp ?? '' },
];
