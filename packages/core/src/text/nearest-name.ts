/** Names longer than this are not compared: nobody mistypes so much. */
const MAXIMUM_LENGTH = 64;

/**
 * The name among several that was probably meant: one that differs in at most two letters, or a third of a short name.
 * @returns undefined where none is near
 * @example nearestName('colums', ['columns', 'scope']) // columns
 */
export function nearestName(misspelled: string, names: Iterable<string>): string | undefined {
  let nearest: string | undefined;
  let fewest = Math.min(2, Math.floor(misspelled.length / 3)) + 1;
  for (const name of names) {
    const differences = differencesBetween(misspelled.toLowerCase(), name.toLowerCase());
    if (differences >= fewest) continue;
    nearest = name;
    fewest = differences;
  }
  return nearest;
}

/** How many letters must be put in, left out or replaced, or be exchanged with the next one, to make one text of the other. */
function differencesBetween(a: string, b: string): number {
  if (a.length > MAXIMUM_LENGTH || b.length > MAXIMUM_LENGTH) return Number.POSITIVE_INFINITY;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const next = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = (last[column - 1] as number) + (a[row - 1] === b[column - 1] ? 0 : 1);
      let fewest = Math.min(replaced, (last[column] as number) + 1, (next[column - 1] as number) + 1);
      if (row > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        fewest = Math.min(fewest, (before[column - 2] as number) + 1);
      }
      next.push(fewest);
    }
    before = last;
    last = next;
  }
  return last[b.length] as number;
}
