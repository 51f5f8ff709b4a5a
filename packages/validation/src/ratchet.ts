import type { Correlation } from '@ashlar/schema';
import type { ObjectPath } from './object-path.ts';

/**
 * Whether a place is unchanged, so that its errors are ignored (semantics/schemas#ratcheting): it, or the
 * nearest place around it that has an old version, is equal. `root` is the complete object with the old one.
 */
export function isUnchanged(root: Correlation, path: ObjectPath): boolean {
  let around: Correlation | undefined;
  let here: Correlation | undefined = root;
  for (const step of path.steps) {
    if (step === null) {
      here = undefined;
    } else if (here) {
      // The kind of an object does not ratchet.
      if (!around && (step === 'apiVersion' || step === 'kind')) return false;
      around = here;
      here = typeof step === 'number' ? here.item(step) : here.field(step);
    }
  }
  return (here ?? around)?.equal() ?? false;
}
