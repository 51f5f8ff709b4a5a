import { type Clock, type JsonValue, type ObjectMeta, printErrors, StatusError } from '@ashlar/core';
import { Database } from '../database.ts';
import { PostgresStoreError } from '../postgres-store-error.ts';
import { toStorageError } from '../to-storage-error.ts';
import { describeTable } from './describe-table.ts';
import { type ChangedRow, RowFeed } from './row-feed.ts';
import { type RowKey, RowReader, textOf } from './row-reader.ts';
import { type RowStatements, rowStatements } from './row-statements.ts';
import { channelOf, type LogStatements, logStatements, type NamedTable, openTableLog } from './table-log.ts';

/** A table of the host, and how its rows are objects. */
export interface PostgresTableOptions {
  /** Such as `postgres://user:password@host:5432/database`. */
  readonly connectionString: string;
  /** Name of the table, as it is written in the database: `books`, which the search path finds, or `shop.books`. */
  readonly table: string;
  /** The column with the names of objects, which has a unique index; with `namespace` both have it together. */
  readonly name: string;
  /** The column with the namespaces of objects. By default they have none. */
  readonly namespace?: string;
  /** The columns that are members of the spec. By default all others. */
  readonly columns?: readonly string[];
  /** Schema of the log of changes and of the metadata, which is created. Default `ashlar`. */
  readonly schema?: string;
  readonly clock: Clock;
  /** Maximum number of connections, besides one for notifications; default 4. */
  readonly maximumConnections?: number;
  /**
   * Called when changes of the table cannot be read, once until they can be again: until then the server does not know what others change.
   * By default the error is printed.
   */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** A row as an object. */
export interface PostgresRow {
  readonly name: string;
  readonly namespace?: string;
  readonly spec: JsonValue;
  readonly metadata?: Partial<ObjectMeta>;
}

/** A change of one row. */
export type PostgresRowChange =
  | { readonly put: PostgresRow }
  | { readonly remove: { readonly name: string; readonly namespace: string } };

/** A table as `createTableStorage` takes it. Disposing it closes its connections; the triggers stay. */
export interface PostgresTable extends AsyncDisposable {
  list(): Promise<readonly PostgresRow[]>;
  get(name: string, namespace: string): Promise<PostgresRow | undefined>;
  put(row: PostgresRow): Promise<void>;
  remove(name: string, namespace: string): Promise<void>;
  write(changes: readonly PostgresRowChange[]): Promise<void>;
  changes(changed: (name?: string, namespace?: string) => void): void;
}

/** SQLSTATE of a value that the table does not take: of a wrong form, or against a constraint. */
const REFUSED_VALUE = /^2[23]/;

type SelectedRow = readonly [
  name: string,
  namespace: string,
  columns: Readonly<Record<string, JsonValue>>,
  metadata: Partial<ObjectMeta> | null,
];

/**
 * Opens a table of an application in PostgreSQL (12 or later), to serve its rows as objects. Triggers note which rows change, whoever changes them; a
 * notification tells the server, which reads them again. Metadata of objects, such as labels, is kept in a table beside.
 *
 * @throws PostgresStoreError if the database cannot be used, or the table does not have these columns
 * @example
 * const table = await openPostgresTable({ connectionString, table: 'books', name: 'isbn', clock: nodeClock });
 * const storage = await createTableStorage(table);
 */
export async function openPostgresTable(options: PostgresTableOptions): Promise<PostgresTable> {
  const {
    connectionString,
    schema = 'ashlar',
    clock,
    onError = printErrors('table in PostgreSQL'),
  } = options;
  const database = new Database({
    connectionString,
    clock,
    maximumConnections: options.maximumConnections ?? 4,
    connectMilliseconds: 3000,
    requestMilliseconds: 30_000,
  });
  try {
    const { named, columns } = await describeTable(database, options);
    await openTableLog(database, schema, named);
    const log = logStatements(schema);
    const [position] = (await database.read<[string]>(log.position)) as readonly [[string]];
    const statements = rowStatements(named, columns, schema);
    return new OpenTable({
      ...{ database, clock, named, columns, schema, log, statements, onError },
      position: position[0],
    });
  } catch (error) {
    await database.close();
    if (PostgresStoreError.is(error)) throw error;
    throw new PostgresStoreError(
      'unreachable',
      `the table cannot be used: ${(error as Error).message}`,
      error,
    );
  }
}

interface OpenTableOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly named: NamedTable;
  readonly columns: readonly string[];
  readonly schema: string;
  readonly log: LogStatements;
  readonly statements: RowStatements;
  readonly position: string;
  readonly onError: (error: unknown) => void;
}

class OpenTable implements PostgresTable {
  readonly #options: OpenTableOptions;
  readonly #reader: RowReader<PostgresRow>;
  #feed: RowFeed | undefined;

  constructor(options: OpenTableOptions) {
    this.#options = options;
    this.#reader = new RowReader((keys) => this.#some(keys));
  }

  async list(): Promise<readonly PostgresRow[]> {
    const { database, statements, named } = this.#options;
    return (await this.#run(() => database.read<SelectedRow>(statements.list, [named.text]))).map(
      this.#toRow,
    );
  }

  get(name: string, namespace: string): Promise<PostgresRow | undefined> {
    return this.#reader.get({ name, namespace });
  }

  put(row: PostgresRow): Promise<void> {
    return this.write([{ put: row }]);
  }

  remove(name: string, namespace: string): Promise<void> {
    return this.write([{ remove: { name, namespace } }]);
  }

  async write(changes: readonly PostgresRowChange[]): Promise<void> {
    const { database, statements, named } = this.#options;
    const puts = changes.flatMap((change) => ('put' in change ? [change.put] : []));
    const removed = changes.flatMap((change) => ('remove' in change ? [change.remove] : []));
    await this.#run(() =>
      database.transaction(async (client) => {
        if (removed.length > 0) await client.query(statements.remove, keysOf(removed));
        if (puts.length === 0) return;
        await client.query(statements.put, [JSON.stringify(puts.map(this.#toColumns))]);
        const metadata = puts.map((row) => JSON.stringify(row.metadata ?? {}));
        await client.query(statements.keep, [named.text, ...keysOf(puts), metadata]);
      }),
    );
  }

  changes(changed: (name?: string, namespace?: string) => void): void {
    const { database, clock, named, schema, log, position, onError } = this.#options;
    const source = {
      read: async (from: string) => {
        await database.run(log.forget, [named.text]);
        const rows = await database.read<[string, string | null, string | null, boolean]>(log.changes, [
          ...[named.text, from],
        ]);
        return { position: rows[0]?.[0] as string, rows: rows.filter((row) => row[3]).map(toChanged) };
      },
      listen: (notified: () => void, ended: () => void) =>
        database.listen(channelOf(schema), (relation) => relation === named.text && notified(), ended),
    };
    this.#feed = new RowFeed({
      ...{ source, clock, position, onError },
      changed: ({ name, namespace }) => changed(name, namespace),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#feed?.[Symbol.dispose]();
    await this.#options.database.close();
  }

  async #some(keys: readonly RowKey[]): Promise<ReadonlyMap<string, PostgresRow>> {
    const { database, statements, named } = this.#options;
    const rows = await this.#run(() =>
      database.read<SelectedRow>(statements.some, [named.text, ...keysOf(keys)]),
    );
    return new Map(rows.map((row) => [textOf({ name: row[0], namespace: row[1] }), this.#toRow(row)]));
  }

  readonly #toRow = ([name, namespace, columns, metadata]: SelectedRow): PostgresRow => ({
    name,
    ...(namespace !== '' && { namespace }),
    // absent members are NULL in the table
    spec: Object.fromEntries(
      this.#options.columns.flatMap((column) => {
        const value = columns[column];
        return value === null || value === undefined ? [] : [[column, value]];
      }),
    ),
    ...(metadata && { metadata }),
  });

  readonly #toColumns = ({ name, namespace, spec }: PostgresRow): object => {
    const { named } = this.#options;
    return {
      ...(spec as object),
      [named.name]: name,
      ...(named.namespace !== undefined && { [named.namespace]: namespace }),
    };
  };

  async #run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw REFUSED_VALUE.test((error as { readonly code?: string }).code ?? '')
        ? new StatusError({ code: 422, reason: 'Invalid', message: (error as Error).message }, error)
        : toStorageError(error);
    }
  }
}

const toChanged = ([, name, namespace]: readonly [
  string,
  string | null,
  string | null,
  boolean,
]): ChangedRow => ({ name: name ?? undefined, namespace: namespace ?? '' });

/** Two parameters of a statement. */
const keysOf = (
  keys: readonly { readonly name: string; readonly namespace?: string | undefined }[],
): [names: string[], namespaces: string[]] => [
  keys.map(({ name }) => name),
  keys.map(({ namespace }) => namespace ?? ''),
];
