import { defineResource } from '@ashlar/apis';
import { createTableStorage, type TableChange, type TableRow } from '@ashlar/server';
import type Database from 'libsql';
import { z } from 'zod';

/** A row of the host's table, which was there before; the last column was added for labels, finalizers and owners of fields. */
interface BookRow {
  readonly isbn: string;
  readonly title: string;
  readonly pages: number;
  readonly meta: string | null;
}

/** Books, served from a table with every verb. The interface of the database is that of better-sqlite3. */
export async function defineBooks(
  database: Database.Database,
  onChange?: (tell: (isbn: string) => void) => void,
) {
  const all = database.prepare('SELECT isbn, title, pages, meta FROM books');
  const one = database.prepare('SELECT isbn, title, pages, meta FROM books WHERE isbn = ?');
  const put = database.prepare('INSERT OR REPLACE INTO books (isbn, title, pages, meta) VALUES (?, ?, ?, ?)');
  const remove = database.prepare('DELETE FROM books WHERE isbn = ?');
  const spec = z.object({ title: z.string().min(1), pages: z.int().min(1).default(1) });
  const putBook = ({ name, spec: submitted, metadata }: TableRow) => {
    const { title, pages } = spec.parse(submitted);
    put.run(name, title, pages, JSON.stringify(metadata));
  };
  const storage = await createTableStorage({
    list: () => (all.all() as BookRow[]).map(toRow),
    get: (name) => {
      const found = one.get(name) as BookRow | undefined;
      return found && toRow(found);
    },
    put: putBook,
    remove: (name) => void remove.run(name),
    // what arrives together is one transaction
    write: database.transaction((changes: readonly TableChange[]) => {
      for (const change of changes) {
        if ('put' in change) putBook(change.put);
        else remove.run(change.remove.name);
      }
    }),
    ...(onChange && { changes: onChange }),
  });
  return defineResource({
    group: 'library.example.com',
    version: 'v1',
    kind: 'Book',
    scope: 'Cluster',
    spec,
    columns: [
      { name: 'Title', cell: ({ spec: book }) => book.title },
      { name: 'Pages', type: 'integer', cell: ({ spec: book }) => book.pages },
    ],
    storage,
  });
}

function toRow({ isbn, title, pages, meta }: BookRow): TableRow {
  return {
    name: isbn,
    spec: { title, pages },
    ...(meta && { metadata: JSON.parse(meta) as NonNullable<TableRow['metadata']> }),
  };
}
