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

/** A change of one row. */
export type TableChange =
  | { readonly put: TableRow }
  | { readonly remove: { readonly name: string; readonly namespace: string } };

/** A table of the host. Writes are made one at a time; what they throw fails the request, and nothing is changed. */
export interface Table {
  list(): readonly TableRow[] | Promise<readonly TableRow[]>;
  get(name: string, namespace: string): TableRow | undefined | Promise<TableRow | undefined>;
  /** Adds the row, or replaces the one of the same name. */
  put(row: TableRow): void | Promise<void>;
  remove(name: string, namespace: string): void | Promise<void>;
  /**
   * Makes all of these changes, of different rows, or none of them: in one transaction. Without this method each change is a call of `put` or
   * `remove`, which commits on its own: writes that arrive together, such as the deletion of a collection, then take as many transactions.
   * If it throws, it is called again with each change alone, so that only the request of the wrong one fails.
   */
  write?(changes: readonly TableChange[]): void | Promise<void>;
  /**
   * Called once: the host calls `changed` for each row that others write, which is then read again; without a name if any of them may have
   * changed, which lists the table.
   */
  changes?(changed: (name?: string, namespace?: string) => void): void;
}
