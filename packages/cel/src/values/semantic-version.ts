import { work } from '../cost/work.ts';

/** A version by semver.org 2.0.0. */
export interface SemanticVersion {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  readonly prerelease: readonly (string | bigint)[];
}

const LARGEST = 2n ** 64n - 1n;
const NUMBER = /^\d+$/;
const IDENTIFIER = /^[0-9A-Za-z-]+$/;

/** Steps per character of a version, which may be an identifier of its own. */
const STEPS_PER_CHARACTER = 100;

/** Parses a version such as `1.2.3-rc.1+build`; returns an error message if it is invalid. */
export function parseSemanticVersion(text: string): SemanticVersion | string {
  if (text === '') return 'Version string empty';
  work(text.length * STEPS_PER_CHARACTER);
  const [major, minor, ...more] = text.split('.');
  if (major === undefined || minor === undefined || more.length === 0)
    return 'No Major.Minor.Patch elements found';
  const rest = more.join('.');
  const plus = rest.indexOf('+');
  const beforeBuild = plus < 0 ? rest : rest.slice(0, plus);
  const dash = beforeBuild.indexOf('-');
  const patch = dash < 0 ? beforeBuild : beforeBuild.slice(0, dash);
  const numbers: bigint[] = [];
  for (const [name, part] of [
    ['major', major],
    ['minor', minor],
    ['patch', patch],
  ] as const) {
    const number = versionNumber(part);
    if (typeof number === 'string') return number.replace('%', name);
    numbers.push(number);
  }
  const prerelease = dash < 0 ? [] : prereleaseParts(beforeBuild.slice(dash + 1));
  if (typeof prerelease === 'string') return prerelease;
  if (plus >= 0) {
    for (const part of rest.slice(plus + 1).split('.')) {
      if (part === '') return 'Build meta data is empty';
      if (!IDENTIFIER.test(part))
        return `Invalid character(s) found in build meta data ${JSON.stringify(part)}`;
    }
  }
  const [a, b, c] = numbers as [bigint, bigint, bigint];
  return { major: a, minor: b, patch: c, prerelease };
}

function versionNumber(text: string): bigint | string {
  if (!NUMBER.test(text)) return `Invalid character(s) found in % number ${JSON.stringify(text)}`;
  if (text.length > 1 && text.startsWith('0'))
    return `% number must not contain leading zeroes ${JSON.stringify(text)}`;
  const number = text.length > 20 ? LARGEST + 1n : BigInt(text);
  return number > LARGEST ? `strconv.ParseUint: parsing ${JSON.stringify(text)}: value out of range` : number;
}

function prereleaseParts(text: string): (string | bigint)[] | string {
  const parts: (string | bigint)[] = [];
  for (const part of text.split('.')) {
    if (part === '') return 'Prerelease is empty';
    if (!IDENTIFIER.test(part)) return `Invalid character(s) found in prerelease ${JSON.stringify(part)}`;
    if (!NUMBER.test(part)) parts.push(part);
    else if (part.length > 1 && part.startsWith('0'))
      return `Numeric PreRelease version must not contain leading zeroes ${JSON.stringify(part)}`;
    else if (part.length > 20)
      return `strconv.ParseUint: parsing ${JSON.stringify(part)}: value out of range`;
    else parts.push(BigInt(part));
  }
  return parts;
}

/** Normalizes a lenient version: no `v`, no leading zeros, and zeros for missing parts. */
export function normalizeVersion(text: string): string | { readonly error: string } {
  work(text.length * STEPS_PER_CHARACTER);
  const parts = splitAtMost(text.replace(/^v/, ''), 3).map((part) =>
    part.length > 1 ? part.replace(/^0+/, '').replace(/^(?![0-9])/, '0') : part,
  );
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? '')) {
    return { error: 'short version cannot contain PreRelease/Build meta data' };
  }
  while (parts.length < 3) parts.push('0');
  return parts.join('.');
}

function splitAtMost(text: string, count: number): string[] {
  const parts = text.split('.');
  return parts.length <= count ? parts : [...parts.slice(0, count - 1), parts.slice(count - 1).join('.')];
}

const order = (a: bigint | string, b: bigint | string): -1 | 0 | 1 => (a < b ? -1 : a > b ? 1 : 0);

/** Precedence of two versions; build metadata is ignored. */
export function compareVersions(a: SemanticVersion, b: SemanticVersion): -1 | 0 | 1 {
  return (
    order(a.major, b.major) ||
    order(a.minor, b.minor) ||
    order(a.patch, b.patch) ||
    comparePrereleases(a.prerelease, b.prerelease)
  );
}

function comparePrereleases(a: SemanticVersion['prerelease'], b: SemanticVersion['prerelease']): -1 | 0 | 1 {
  work(Math.min(a.length, b.length) * 10);
  if (a.length === 0 || b.length === 0) return a.length === b.length ? 0 : a.length === 0 ? 1 : -1;
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const x = a[i] as string | bigint;
    const y = b[i] as string | bigint;
    if (typeof x !== typeof y) return typeof x === 'bigint' ? -1 : 1;
    const result = order(x, y);
    if (result !== 0) return result;
  }
  return a.length < b.length ? -1 : a.length > b.length ? 1 : 0;
}
