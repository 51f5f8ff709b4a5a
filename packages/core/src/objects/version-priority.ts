import { compareUtf8 } from '../text/utf8.ts';
import { parseInt64 } from '../values/integer-text.ts';

interface ParsedVersion {
  readonly stability: number;
  readonly major: bigint;
  readonly minor: bigint;
}

const STABILITIES = ['alpha', 'beta', ''];

function parseVersion(text: string): ParsedVersion | undefined {
  const [, majorText = '', stability = '', minorText = '0'] =
    /^v([0-9]+)(?:(alpha|beta)([0-9]+))?$/.exec(text) ?? [];
  const major = parseInt64(majorText);
  const minor = parseInt64(minorText);
  return major === undefined || minor === undefined
    ? undefined
    : { stability: STABILITIES.indexOf(stability), major, minor };
}

/**
 * Compares two API versions by priority, 1 for the first: stable before beta before alpha, then larger
 * numbers; strings of another form come last, alphabetically (semantics/discovery).
 */
export function compareApiVersions(a: string, b: string): -1 | 0 | 1 {
  const left = parseVersion(a);
  const right = parseVersion(b);
  if (!left && !right) return signOf(compareUtf8(b, a));
  if (!left || !right) return left ? 1 : -1;
  if (left.stability !== right.stability) return signOf(left.stability - right.stability);
  if (left.major !== right.major) return left.major > right.major ? 1 : -1;
  return left.minor === right.minor ? 0 : left.minor > right.minor ? 1 : -1;
}

/**
 * API versions sorted by priority, highest first.
 *
 * @example sortApiVersions(['v1beta1', 'v1', 'v2']) // ['v2', 'v1', 'v1beta1']
 */
export function sortApiVersions(versions: readonly string[]): string[] {
  return [...versions].sort((a, b) => compareApiVersions(b, a));
}

const signOf = (value: number): -1 | 0 | 1 => (value === 0 ? 0 : value > 0 ? 1 : -1);
