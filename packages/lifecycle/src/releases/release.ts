/** A release of Kubernetes by its numbers; releases of behavior are minor ones. */
export interface Release {
  readonly major: number;
  readonly minor: number;
  /** Whether it is an alpha of the minor release. */
  readonly alpha: boolean;
}

const RELEASE = /^v?(\d{1,4})\.(\d{1,4})(?:\.\d{1,9})?(-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]*)?$/;

/**
 * Parses a release: `1.32`, `v1.32`, `1.32.13`, `1.32.0-alpha.1`.
 * @returns undefined for another text
 */
export function parseRelease(text: string): Release | undefined {
  const [, major, minor, stage = ''] = RELEASE.exec(text) ?? [];
  if (major === undefined || minor === undefined) return undefined;
  return { major: Number(major), minor: Number(minor), alpha: stage.startsWith('-alpha.') };
}

/** Compares the major and minor numbers of two releases: negative if the first is older. */
export function compareReleases(a: Release, b: Release): number {
  return a.major - b.major || a.minor - b.minor;
}

/** Returns a release as in texts: `1.32`. */
export function releaseText({ major, minor }: Pick<Release, 'major' | 'minor'>): string {
  return `${major}.${minor}`;
}

/**
 * Parses a release that must be valid.
 * @throws TypeError for a text that is no release
 */
export function requireRelease(text: string): Release {
  const release = parseRelease(text);
  if (!release) throw new TypeError(`${JSON.stringify(text)} is no release such as 1.32`);
  return release;
}
