import { groupName, type Vocabulary } from '@ashlar/core';
import { compareReleases, type Release, requireRelease } from './release.ts';
import { SERVED_RESOURCES } from './served-resources-table.ts';
import { TYPE_MARKS } from './type-marks-table.ts';

/** The first and the last of consecutive releases. */
export interface ReleaseSpan {
  readonly from: Release;
  readonly to: Release;
}

/** A resource of a group version, as some releases have it. */
export interface ReleasedResource {
  /** `apps/v1` */
  readonly groupVersion: string;
  /** Plural; of subresources with a slash: `deployments/scale`. */
  readonly name: string;
  /** Kind; with group and version in front if they are not those of the resource: `autoscaling/v1/Scale`. */
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  /** The releases that have it. */
  readonly served: ReleaseSpan;
  /** The releases in which it is enabled without flags. */
  readonly enabled: readonly ReleaseSpan[];
}

/** What a release says about the life of a kind in a version. Releases are texts such as `1.22`. */
export interface TypeMarks {
  readonly introduced?: string;
  readonly deprecated?: string;
  /** The first release that does not serve it. */
  readonly removed?: string;
  /** Version and kind: `apps/v1 Deployment`. */
  readonly replacement?: string;
}

interface MarksOfReleases {
  readonly releases: ReleaseSpan;
  readonly marks: TypeMarks;
}

/** The facts about the built-in APIs of releases 1.15 to 1.32, with the names of a vocabulary. */
export interface ReleaseHistory {
  readonly resources: readonly ReleasedResource[];
  /** Marks by version and kind (`apps/v1 Deployment`), oldest first. */
  readonly marks: ReadonlyMap<string, readonly MarksOfReleases[]>;
}

const histories = new WeakMap<Vocabulary, ReleaseHistory>();

/** Returns the history with the names of a vocabulary. It is parsed once. */
export function releaseHistory(vocabulary: Vocabulary): ReleaseHistory {
  const cached = histories.get(vocabulary);
  if (cached) return cached;
  const history: ReleaseHistory = {
    resources: readTable(SERVED_RESOURCES, vocabulary).map(readResource),
    marks: readMarks(vocabulary),
  };
  histories.set(vocabulary, history);
  return history;
}

interface TableLine {
  readonly groupVersion: string;
  readonly words: readonly string[];
}

function readTable(table: string, vocabulary: Vocabulary): readonly TableLine[] {
  const lines: TableLine[] = [];
  let groupVersion = '';
  for (const line of table.trim().split('\n')) {
    if (line.startsWith(' ')) {
      const words = line.trim().split(' ');
      lines.push({ groupVersion, words: words.map((word) => withGroup(word, vocabulary)) });
    } else groupVersion = withGroup(line, vocabulary);
  }
  return lines;
}

/** Completes the group in front of a slash. */
function withGroup(text: string, vocabulary: Vocabulary): string {
  const slash = text.indexOf('./');
  return slash < 0 ? text : groupName(vocabulary, text.slice(0, slash + 1)) + text.slice(slash + 1);
}

const VERBS: ReadonlyMap<string, readonly string[]> = new Map([
  ['all', ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']],
  ['change', ['get', 'patch', 'update']],
]);

function readResource({ groupVersion, words }: TableLine): ReleasedResource {
  const [name = '', kind = '', scope, verbs = '', served = '', enabled = ''] = words;
  return {
    groupVersion,
    name,
    kind,
    namespaced: scope === 'namespaced',
    verbs: VERBS.get(verbs) ?? verbs.split(','),
    served: readSpan(served),
    enabled: enabled === 'off' ? [] : enabled.split(',').map(readSpan),
  };
}

function readSpan(text: string): ReleaseSpan {
  const [from = '', to = from] = text.split('-');
  return { from: requireRelease(from), to: requireRelease(to) };
}

function readMarks(vocabulary: Vocabulary): ReadonlyMap<string, readonly MarksOfReleases[]> {
  const marks = new Map<string, MarksOfReleases[]>();
  for (const { groupVersion, words } of readTable(TYPE_MARKS, vocabulary)) {
    const [kind = '', releases = '', introduced = '-', deprecated = '-', removed = '-', ...replacement] =
      words;
    const type = `${groupVersion} ${kind}`;
    const entry: MarksOfReleases = {
      releases: readSpan(releases),
      marks: {
        ...(introduced !== '-' && { introduced }),
        ...(deprecated !== '-' && { deprecated }),
        ...(removed !== '-' && { removed }),
        ...(replacement.length > 0 && { replacement: replacement.join(' ') }),
      },
    };
    marks.set(type, [...(marks.get(type) ?? []), entry]);
  }
  return marks;
}

/** Whether a span has a release. */
export const spans = ({ from, to }: ReleaseSpan, release: Release): boolean =>
  compareReleases(from, release) <= 0 && compareReleases(release, to) <= 0;

/** A kind in a version of a group. */
export interface VersionedKind {
  /** `apps/v1beta1` */
  readonly groupVersion: string;
  readonly kind: string;
}

/**
 * Returns the marks of a kind as a release gives them: those of the latest release up to it, or else the first ones.
 * @param release by default the latest known one
 */
export function marksOf(
  { groupVersion, kind }: VersionedKind,
  vocabulary: Vocabulary,
  release?: Release,
): TypeMarks | undefined {
  const entries = releaseHistory(vocabulary).marks.get(`${groupVersion} ${kind}`);
  if (!entries || !release) return entries?.at(-1)?.marks;
  const upTo = entries.filter(({ releases }) => compareReleases(releases.from, release) <= 0);
  return (upTo.at(-1) ?? entries[0])?.marks;
}
