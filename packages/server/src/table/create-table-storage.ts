import { checkOptionNames, optionError } from '@ashlar/core';
import type { TypeStore } from '@ashlar/registry';
import type { Table, TableRow } from './table.ts';
import { TableStore } from './table-store.ts';

const CALLEE = 'createTableStorage';
const METHODS = ['list', 'get', 'put', 'remove'] as const;

/**
 * Serves a table that the host has, with every verb: versions and conflicts, pages, watches with their history, generated names, apply and
 * ownership of fields. The rows are read once and kept in memory; writes are in the table before they are acknowledged. Two servers, or a
 * server and its forks, must not have one table.
 *
 * @returns the option `storage` of `defineResource`
 * @throws TypeError for options that are wrong; what `list` throws
 * @example
 * const storage = await createTableStorage({
 *   list: () => database.prepare('SELECT name, spec FROM books').all().map(toRow),
 *   get: (name) => toRow(database.prepare('SELECT name, spec FROM books WHERE name = ?').get(name)),
 *   put: ({ name, spec }) => void database.prepare('INSERT OR REPLACE INTO books VALUES (?, ?)').run(name, JSON.stringify(spec)),
 *   remove: (name) => void database.prepare('DELETE FROM books WHERE name = ?').run(name),
 * });
 * const books = defineResource({ group: 'example.com', version: 'v1', kind: 'Book', scope: 'Cluster', spec, storage });
 */
export async function createTableStorage(table: Table): Promise<TypeStore> {
  checkOptionNames(CALLEE, table, [...METHODS, 'write', 'changes']);
  for (const method of METHODS) {
    if (typeof table[method] !== 'function') throw optionError(CALLEE, method, 'a function', table[method]);
  }
  const rows = await table.list();
  for (const row of rows) checkRow(row);
  return { createStore: (definition, ambient) => new TableStore(table, rows, definition, ambient) };
}

/** @throws TypeError */
function checkRow(row: TableRow): void {
  if (typeof row?.name !== 'string' || row.name === '') {
    throw new TypeError(`${CALLEE}: a row has no name, which is a text: ${JSON.stringify(row)}`);
  }
}
