import type { Toleration } from '../pods/placement-types.ts';
import { TolerationIndex } from './toleration-index.ts';

/** Returns the tolerations of both lists without those that others include. */
export function mergeTolerations(
  first: readonly Toleration[],
  second: readonly Toleration[],
): readonly Toleration[] {
  const distinct = withoutSame([...first, ...second]);
  const includedLater = new Set<Toleration>();
  const later = new TolerationIndex();
  for (const each of distinct.toReversed()) {
    if (later.includes(each)) includedLater.add(each);
    later.add(each);
  }
  const merged: Toleration[] = [];
  const earlier = new TolerationIndex();
  for (const each of distinct) {
    if (includedLater.has(each) || earlier.includes(each)) continue;
    merged.push(each);
    earlier.add(each);
  }
  return merged;
}

function withoutSame(tolerations: readonly Toleration[]): readonly Toleration[] {
  const seen = new TolerationIndex();
  return tolerations.filter((each) => {
    const isNew = !seen.has(each);
    if (isNew) seen.add(each);
    return isNew;
  });
}
