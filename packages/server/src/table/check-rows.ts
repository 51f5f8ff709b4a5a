import type { ResourceDefinition } from '@ashlar/registry';
import type { TableRow } from './table.ts';

const CALLEE = 'createTableStorage';

/**
 * Checks the rows of a table by its type: names, namespaces, and that no two rows are the same object.
 * @throws TypeError that names the row
 */
export function checkRows(rows: readonly TableRow[], definition: ResourceDefinition): void {
  const seen = new Set<string>();
  for (const row of rows) {
    checkRow(row, definition);
    const key = `${row.namespace ?? ''}/${row.name}`;
    if (seen.has(key)) throw new TypeError(`${CALLEE}: two rows are called "${row.name}"`);
    seen.add(key);
  }
}

/** @throws TypeError */
export function checkRow({ name, namespace }: TableRow, definition: ResourceDefinition): void {
  const { scope, names, strategy } = definition;
  const [nameProblem] = strategy.validateName(name, false, {
    apiVersion: '',
    kind: names.kind,
    metadata: { name },
  });
  if (nameProblem !== undefined) {
    throw new TypeError(
      `${CALLEE}: a row is called "${name}", and as the name of an object it must be written otherwise in list, get, put and remove: ${nameProblem}`,
    );
  }
  if (scope === 'Namespaced' && !namespace) {
    throw new TypeError(
      `${CALLEE}: row "${name}" has no namespace: give rows one, or define ${names.kind} with scope "Cluster"`,
    );
  }
  if (scope === 'Cluster' && namespace) {
    throw new TypeError(
      `${CALLEE}: row "${name}" has namespace "${namespace}", and ${names.kind} has scope "Cluster": leave the namespace out, or define ${names.kind} with scope "Namespaced"`,
    );
  }
}
