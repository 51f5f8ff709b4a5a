import { type JsonValue, jsonEqual } from '@ashlar/core';
import type { Toleration } from '../pods/placement-types.ts';

/** Returns the tolerations of both lists without those that others include. */
export function mergeTolerations(
  first: readonly Toleration[],
  second: readonly Toleration[],
): readonly Toleration[] {
  const all = [...first, ...second];
  const merged: Toleration[] = [];
  for (const [i, each] of all.entries()) {
    const isIncluded =
      merged.some((other) => includesToleration(other, each)) ||
      all.slice(i + 1).some((other) => !isSame(other, each) && includesToleration(other, each));
    if (!isIncluded) merged.push(each);
  }
  return merged;
}

const isSame = (a: Toleration, b: Toleration): boolean => jsonEqual(a as JsonValue, b as JsonValue);

/** Whether a toleration tolerates everything that another one does. */
export function includesToleration(wide: Toleration, narrow: Toleration): boolean {
  if (isSame(wide, narrow)) return true;
  const { key = '', effect = '', operator = 'Equal', tolerationSeconds: longest } = wide;
  if ((narrow.key ?? '') !== key && (key !== '' || operator !== 'Exists')) return false;
  if ((narrow.effect ?? '') !== effect && effect !== '') return false;
  const seconds = narrow.tolerationSeconds ?? Number.POSITIVE_INFINITY;
  if (effect === 'NoExecute' && longest !== undefined && seconds > longest) return false;
  return operator === 'Exists' || (narrow.operator === 'Equal' && narrow.value === wide.value);
}
