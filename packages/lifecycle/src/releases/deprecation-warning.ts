import type { TypeMarks, VersionedKind } from './release-history.ts';

/**
 * Returns the text of the warning about a deprecated kind (semantics/lifecycle#deprecation).
 * @returns undefined if the kind is not marked as deprecated
 * @example deprecationWarning({ groupVersion: 'batch/v1beta1', kind: 'CronJob' }, { deprecated: '1.21' })
 * // batch/v1beta1 CronJob is deprecated in v1.21+
 */
export function deprecationWarning(
  { groupVersion, kind }: VersionedKind,
  { deprecated, removed, replacement }: TypeMarks,
): string | undefined {
  if (deprecated === undefined) return undefined;
  const until = removed === undefined ? '' : `, unavailable in v${removed}+`;
  const instead = replacement === undefined ? '' : `; use ${replacement}`;
  return `${groupVersion} ${kind} is deprecated in v${deprecated}+${until}${instead}`;
}
