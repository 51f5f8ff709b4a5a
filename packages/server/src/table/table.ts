import type { JsonValue, ObjectMeta } from '@ashlar/core';

/** A row of a host's table, as an object of its type. */
export interface TableRow {
  /** A name as objects have them: lower case, digits, `-` and `.`. */
  readonly name: string;
  /** Only of types in namespaces. */
  readonly namespace?: string;
  readonly spec: JsonValue;
  readonly status?: JsonValue;
  /**
   * Labels, finalizers, owners of fields and all else. A table may leave out any of it: then it lasts as long as the server, and uids are
   * made of names.
   */
  readonly metadata?: Partial<ObjectMeta>;
}

/** A table of the host. Calls are made one at a time; what they throw fails the request, and nothing is changed. */
export interface Table {
  list(): readonly TableRow[] | Promise<readonly TableRow[]>;
  get(name: string, namespace: string): TableRow | undefined | Promise<TableRow | undefined>;
  /** Adds the row, or replaces the one of the same name. */
  put(row: TableRow): void | Promise<void>;
  remove(name: string, namespace: string): void | Promise<void>;
  /** Called once: the host calls `changed` for each row that others write, which is then read again. */
  changes?(changed: (name: string, namespace?: string) => void): void;
}
