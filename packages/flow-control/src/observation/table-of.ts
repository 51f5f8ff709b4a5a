/** Columns aligned by spaces, as tables of debugging endpoints are. */
export function tableOf(columns: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const lines = [columns, ...rows].map((cells) => cells.map(String));
  const widths = columns
    .slice(0, -1)
    .map((_, i) =>
      lines.reduce((most, cells) => Math.max(most, (cells[i] ?? '').length + SEPARATED), MINIMUM),
    );
  const lineOf = (cells: readonly string[]): string =>
    cells.map((cell, i) => (i < widths.length ? `${cell},`.padEnd(widths[i] ?? 0) : cell)).join('');
  return lines.map((cells) => `${lineOf(cells)}\n`).join('');
}

/** A comma and a space. */
const SEPARATED = 2;
const MINIMUM = 8;
