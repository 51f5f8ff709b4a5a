import { compareReleases, parseRelease, type Release, releaseText } from './release.ts';
import type { TypeMarks } from './release-history.ts';

/** What a server of a release does with a kind in a version. */
export interface TypeState {
  /** Requests are answered with a warning. */
  readonly deprecated: boolean;
  /** It is not served: not yet, or no longer. */
  readonly refused: boolean;
}

/** How a server treats what its release removes. */
export interface RemovalOptions {
  /** Serves what this release removes for one release more. */
  readonly oneReleaseMore?: boolean;
  /** Removes in alphas already what their release removes. */
  readonly strictInAlpha?: boolean;
}

const reached = (mark: string | undefined, release: Release): boolean => {
  const marked = mark === undefined ? undefined : parseRelease(mark);
  return marked !== undefined && compareReleases(marked, release) <= 0;
};

/** Returns how a server of a release treats a kind with these marks. */
export function typeState(marks: TypeMarks, release: Release, options: RemovalOptions = {}): TypeState {
  const isIntroduced = marks.introduced === undefined || reached(marks.introduced, release);
  return {
    deprecated: reached(marks.deprecated, release),
    refused: !isIntroduced || isRemoved(marks, release, options),
  };
}

function isRemoved(
  { removed }: TypeMarks,
  release: Release,
  { oneReleaseMore = false, strictInAlpha = false }: RemovalOptions,
): boolean {
  if (!reached(removed, release)) return false;
  if (removed !== releaseText(release)) return true;
  if (release.alpha) return strictInAlpha;
  return !oneReleaseMore;
}
