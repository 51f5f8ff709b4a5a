import { compareApiVersions } from '@ashlar/core';
import { compareDefinitions } from '../compare-definitions.ts';
import { roundTripFindings } from '../round-trips/round-trip-findings.ts';
import type { ApiRelease, HistoryFinding, ReleasedDefinition, ReleasedVersion } from './api-release.ts';
import { elementFindings } from './element-findings.ts';

/** How many releases, and how long, beta versions are served after their deprecation. */
const BETA_RELEASES = 3;
const BETA_DAYS = 273;
const DAY = 86_400_000;

type Track = 'stable' | 'beta' | 'alpha';

const trackOf = (version: string): Track =>
  /alpha/.test(version) ? 'alpha' : /beta/.test(version) ? 'beta' : 'stable';

const RANK: Readonly<Record<Track, number>> = { alpha: 0, beta: 1, stable: 2 };

/**
 * Checks the releases of a host's API against the rules of deprecation: versions lose and change nothing (1), objects survive the way to
 * every other version and back (2: with generated objects), versions are not deprecated in favor of less stable ones (3), are served long enough (4a), and become preferred or stored only after a release that served them (4b).
 * Flags, behaviors, gates and metrics work long enough after they are deprecated (5a to 11b).
 *
 * @param history releases, oldest first
 * @example
 * const findings = checkApiHistory([{ name: '1.0', definitions: old }, { name: '1.1', definitions: now }]);
 */
export function checkApiHistory(history: readonly ApiRelease[]): readonly HistoryFinding[] {
  return history.flatMap((release, index) => {
    const before = history[index - 1];
    return [
      ...roundTripFindings(release),
      ...replacementFindings(release),
      ...elementFindings(history.slice(0, index), release),
      ...(before
        ? [
            ...schemaFindings(before, release),
            ...removalFindings(history.slice(0, index), release),
            ...advanceFindings(before, release),
          ]
        : []),
    ];
  });
}

const typeName = ({ group, names }: ReleasedDefinition): string =>
  group === '' ? names.plural : `${names.plural}.${group}`;

const typeIn = ({ definitions }: ApiRelease, type: string): ReleasedDefinition | undefined =>
  definitions.find((definition) => typeName(definition) === type);

const versionIn = (release: ApiRelease, type: string, version: string): ReleasedVersion | undefined =>
  typeIn(release, type)?.versions.find(({ name }) => name === version);

/** Rule 1: elements of a version stay as they are as long as the version does. Alpha versions too. */
function schemaFindings(before: ApiRelease, release: ApiRelease): readonly HistoryFinding[] {
  const breaking = compareDefinitions(before.definitions, release.definitions).filter(
    ({ type, version, breaks }) =>
      breaks.length > 0 && (version === undefined || versionIn(release, type, version)?.served === true),
  );
  return breaking
    .filter(({ type }) => typeIn(release, type) !== undefined)
    .map(({ type, version = '', path, change }) => ({
      rule: '1',
      release: release.name,
      type,
      version,
      message: `${path === '' ? '' : `${path} `}${change}: elements can be removed or changed only in a new version`,
    }));
}

/** Rule 3. */
function replacementFindings(release: ApiRelease): readonly HistoryFinding[] {
  return release.definitions.flatMap((definition) =>
    definition.versions.flatMap(({ name, deprecated, replacement }) => {
      if (!deprecated || replacement === undefined) return [];
      const isLess = RANK[trackOf(replacement)] < RANK[trackOf(name)];
      if (!isLess) return [];
      return [
        {
          rule: '3',
          release: release.name,
          type: typeName(definition),
          version: name,
          message: `is deprecated in favor of ${replacement}, which is less stable`,
        },
      ];
    }),
  );
}

/** Rule 4a: stable versions stay, beta versions stay for some time after their deprecation. */
function removalFindings(past: readonly ApiRelease[], release: ApiRelease): readonly HistoryFinding[] {
  const before = past.at(-1);
  return (before?.definitions ?? []).flatMap((definition) =>
    definition.versions.flatMap(({ name, served }): readonly HistoryFinding[] => {
      const type = typeName(definition);
      if (!served || versionIn(release, type, name)?.served) return [];
      const message = earlyRemoval(past, release, type, name);
      return message === undefined
        ? []
        : [{ rule: '4a', release: release.name, type, version: name, message }];
    }),
  );
}

function earlyRemoval(
  past: readonly ApiRelease[],
  release: ApiRelease,
  type: string,
  version: string,
): string | undefined {
  const track = trackOf(version);
  if (track === 'stable') return 'is no longer served: stable versions stay within a major release';
  if (track === 'alpha') return undefined;
  const first = past.findIndex((each) => versionIn(each, type, version)?.deprecated);
  if (first < 0) return 'is no longer served, and was not deprecated before';
  const releases = past.length - first;
  if (releases < BETA_RELEASES)
    return `is no longer served ${releases} ${releases === 1 ? 'release' : 'releases'} after its deprecation: beta versions stay for ${BETA_RELEASES}`;
  const since = past[first]?.published;
  if (since === undefined || release.published === undefined) return undefined;
  const days = Math.floor((release.published - since) / DAY);
  return days < BETA_DAYS
    ? `is no longer served ${days} days after its deprecation: beta versions stay for ${BETA_DAYS}`
    : undefined;
}

/** Rule 4b: users can go back to the release before. */
function advanceFindings(before: ApiRelease, release: ApiRelease): readonly HistoryFinding[] {
  return release.definitions.flatMap((definition) => {
    const type = typeName(definition);
    const old = typeIn(before, type);
    if (!old) return [];
    return (['preferred', 'storage'] as const).flatMap((role): readonly HistoryFinding[] => {
      const [was, is] = [versionOf(old, role), versionOf(definition, role)];
      if (!was || !is || was === is || versionIn(before, type, is)?.served) return [];
      const message = `became the ${role} version in its first release: the release before has to serve it and ${was}`;
      return [{ rule: '4b', release: release.name, type, version: is, message }];
    });
  });
}

function versionOf({ versions }: ReleasedDefinition, role: 'preferred' | 'storage'): string | undefined {
  if (role === 'storage') return versions.find(({ storage }) => storage)?.name;
  return versions
    .filter(({ served }) => served)
    .map(({ name }) => name)
    .sort((a, b) => compareApiVersions(b, a))[0];
}
