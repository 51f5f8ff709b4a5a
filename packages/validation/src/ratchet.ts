import type { Correlation } from '@ashlar/schema';
import type { ObjectPath } from './object-path.ts';

/**
 * Whether a place is as it was, so that what it breaks is let pass (semantics/schemas#ratcheting): it, or the nearest place around it that has an old
 * version, equals that. `root` is the whole object beside the old one.
 */
export function isUnchanged(root: Correlation, path: ObjectPath): boolean {
  let around: Correlation | undefined;
  let here: Correlation | undefined = root;
  for (const step of path.steps) {
    if (step === null) {
      here = undefined;
    } else if (here) {
      // Which kind an object is of does not ratchet.
      if (!around && (step === 'apiVersion' || step === 'kind')) return false;
      around = here;
      here = typeof step === 'number' ? here.item(step) : here.field(step);
    }
  }
  return (here ?? around)?.equal() ?? false;
}
