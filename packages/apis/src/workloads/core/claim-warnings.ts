import { fractionWarning } from '../pods/fraction-warnings.ts';
import type { ClaimSpec } from './claim-validation.ts';

/** Texts of Warning headers about a claim. */
export function claimWarnings({ resources }: ClaimSpec, path: string): readonly string[] {
  return fractionWarning(resources?.requests?.storage, `${path}.resources.requests[storage]`);
}
