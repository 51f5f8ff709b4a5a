import {
  compareApiVersions,
  isJsonObject,
  type JsonValue,
  kubernetesVocabulary,
  orchVocabulary,
  parseApiVersion,
  type Vocabulary,
} from '@ashlar/core';
import { compareReleases, type Release, releaseText, requireRelease } from '../releases/release.ts';
import {
  marksOf,
  type ReleasedResource,
  releaseHistory,
  spans,
  type TypeMarks,
  type VersionedKind,
} from '../releases/release-history.ts';
import { typeState } from '../releases/type-state.ts';
import { WITHDRAWN_NOTES } from './withdrawn-notes.ts';

/** What a release does with the version of a manifest. */
export type FindingKind = 'withdrawn' | 'deprecated' | 'not served yet';

/** A manifest in a version that a release does not serve, or has deprecated. */
export interface ManifestFinding {
  readonly finding: FindingKind;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  /** Empty if the manifest has none. */
  readonly name: string;
  /** Place of the manifest in what was given; items of lists have that of their list. */
  readonly index: number;
  /** Since which release it is deprecated: `1.14`. */
  readonly deprecated?: string;
  /** Since which release it is not served. */
  readonly removed?: string;
  /** The version to use instead; absent if there is none. */
  readonly replacement?: Replacement;
  /** What changes in meaning in the replacement. */
  readonly changes: readonly string[];
  /** The finding in one sentence. */
  readonly message: string;
}

/** The version that replaces another. */
export interface Replacement {
  readonly apiVersion: string;
  /** The release since which it is served. */
  readonly since: string;
}

export interface FindWithdrawnOptions {
  /** The release in question: `1.32`. */
  readonly target: string;
  /** Names of groups; by default the one of which each manifest has the domain, or else the names of the specification. */
  readonly vocabulary?: Vocabulary;
}

/**
 * Finds the manifests that a release no longer serves, has deprecated or does not serve yet. Kinds that are not built in are skipped.
 * @param manifests parsed manifests; lists of kind `List` are searched
 * @throws TypeError if the target is no release
 * @example
 * findWithdrawn([{ apiVersion: 'batch/v1beta1', kind: 'CronJob', metadata: { name: 'a' } }], { target: '1.25' })[0]?.removed; // 1.25
 */
export function findWithdrawn(
  manifests: Iterable<JsonValue>,
  { target, vocabulary }: FindWithdrawnOptions,
): readonly ManifestFinding[] {
  const release = requireRelease(target);
  const found: ManifestFinding[] = [];
  let index = 0;
  for (const manifest of manifests) {
    for (const object of objectsIn(manifest)) {
      const finding = findingOf(object, release, vocabulary ?? vocabularyOf(object.apiVersion));
      if (finding) found.push({ ...finding, index });
    }
    index++;
  }
  return found;
}

interface TypedManifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

const MAXIMUM_NESTING = 8;

function objectsIn(value: JsonValue, depth = 0): readonly TypedManifest[] {
  if (!isJsonObject(value) || depth > MAXIMUM_NESTING) return [];
  const { apiVersion, kind, metadata, items } = value;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return [];
  if (Array.isArray(items) && kind.endsWith('List'))
    return items.flatMap((item) => objectsIn(item, depth + 1));
  const { name, namespace } = isJsonObject(metadata ?? null) ? (metadata as Record<string, JsonValue>) : {};
  return [
    {
      apiVersion,
      kind,
      name: typeof name === 'string' ? name : '',
      ...(typeof namespace === 'string' && { namespace }),
    },
  ];
}

/** The vocabulary whose domain a group has. */
export function vocabularyOf(apiVersion: string, otherwise: Vocabulary = orchVocabulary): Vocabulary {
  const group = parseApiVersion(apiVersion)?.group ?? '';
  return (
    [kubernetesVocabulary, orchVocabulary].find(({ groupDomain }) => group.endsWith(`.${groupDomain}`)) ??
    otherwise
  );
}

interface TypeFinding extends Pick<ManifestFinding, 'finding' | 'changes' | 'message'> {
  readonly deprecated?: string;
  readonly removed?: string;
  readonly replacement?: Replacement;
}

/** Findings are the same for all manifests of a kind. */
const typeFindings = new WeakMap<Vocabulary, Map<string, TypeFinding | undefined>>();

function findingOf(
  { apiVersion, kind, name, namespace }: TypedManifest,
  release: Release,
  vocabulary: Vocabulary,
): Omit<ManifestFinding, 'index'> | undefined {
  const cached = typeFindings.get(vocabulary) ?? new Map<string, TypeFinding | undefined>();
  typeFindings.set(vocabulary, cached);
  const key = `${releaseText(release)} ${apiVersion} ${kind}`;
  if (!cached.has(key) && isBuiltIn(apiVersion, kind, vocabulary))
    cached.set(key, typeFindingOf(apiVersion, kind, release, vocabulary));
  const typeFinding = cached.get(key);
  return (
    typeFinding && { apiVersion, kind, name, ...(namespace !== undefined && { namespace }), ...typeFinding }
  );
}

const resourcesOf = (apiVersion: string, kind: string, vocabulary: Vocabulary): readonly ReleasedResource[] =>
  releaseHistory(vocabulary).resources.filter(
    (resource) =>
      resource.groupVersion === apiVersion && resource.kind === kind && !resource.name.includes('/'),
  );

const isBuiltIn = (apiVersion: string, kind: string, vocabulary: Vocabulary): boolean =>
  resourcesOf(apiVersion, kind, vocabulary).length > 0;

function typeFindingOf(
  apiVersion: string,
  kind: string,
  release: Release,
  vocabulary: Vocabulary,
): TypeFinding | undefined {
  const served = resourcesOf(apiVersion, kind, vocabulary);
  const marks: TypeMarks = marksOf({ groupVersion: apiVersion, kind }, vocabulary) ?? {};
  const removed = earlier(marks.removed, removalInTable(served));
  const isRemoved = removed !== undefined && compareReleases(requireRelease(removed), release) <= 0;
  const finding = isRemoved ? 'withdrawn' : findingBefore(marks, served, release);
  if (!finding) return undefined;
  const replacement =
    finding === 'not served yet' ? undefined : replacementOf(apiVersion, kind, release, vocabulary);
  const { deprecated } = marks;
  const introduced = served[0] && releaseText(served[0].served.from);
  const changes = finding === 'not served yet' ? [] : notesOf(apiVersion, kind, vocabulary);
  const message = sentence({ finding, apiVersion, removed, deprecated, introduced, replacement });
  return {
    finding,
    changes,
    message,
    ...(deprecated !== undefined && { deprecated }),
    ...(removed !== undefined && { removed }),
    ...(replacement && { replacement }),
  };
}

/** Marks of introduction are not always true: the table says since when a version is served. */
function findingBefore(
  marks: TypeMarks,
  served: readonly ReleasedResource[],
  release: Release,
): FindingKind | undefined {
  const first = served[0]?.served.from ?? OLDEST;
  if (compareReleases(release, first) < 0 && compareReleases(first, OLDEST) > 0) return 'not served yet';
  return typeState(marks, release).deprecated ? 'deprecated' : undefined;
}

/** The oldest release of the table, and the latest. */
const OLDEST = requireRelease('1.15');
const LATEST = requireRelease('1.32');

/** Marks of removal are not always true: some alpha versions went before, or without a mark. */
function earlier(mark: string | undefined, table: string | undefined): string | undefined {
  if (mark === undefined || table === undefined) return mark ?? table;
  return compareReleases(requireRelease(mark), requireRelease(table)) < 0 ? mark : table;
}

/** The release after the last one that has a version, if there is one. */
function removalInTable(served: readonly ReleasedResource[]): string | undefined {
  const last = served.at(-1)?.served.to;
  if (!last || compareReleases(last, LATEST) >= 0) return undefined;
  return releaseText({ major: last.major, minor: last.minor + 1 });
}

/**
 * Returns the version that a release serves instead: the marked replacement or that of the replacement, preferably one that is not
 * deprecated, or the best of the group.
 */
function replacementOf(
  apiVersion: string,
  kind: string,
  release: Release,
  vocabulary: Vocabulary,
): Replacement | undefined {
  const served = replacementsOf({ groupVersion: apiVersion, kind }, vocabulary).filter((type) =>
    isServed(type.groupVersion, type.kind, release, vocabulary),
  );
  const lasting = served.find((type) => !typeState(marksOf(type, vocabulary) ?? {}, release).deprecated);
  const best = lasting ?? served.at(-1) ?? bestOfGroup(apiVersion, kind, release, vocabulary);
  return best && { apiVersion: best.groupVersion, since: sinceOf(best.groupVersion, best.kind, vocabulary) };
}

function replacementsOf(type: VersionedKind, vocabulary: Vocabulary): readonly VersionedKind[] {
  const found: VersionedKind[] = [];
  let next = marksOf(type, vocabulary)?.replacement;
  while (next !== undefined && found.length < MAXIMUM_NESTING) {
    const [groupVersion = '', kind = ''] = next.split(' ');
    found.push({ groupVersion, kind });
    next = marksOf({ groupVersion, kind }, vocabulary)?.replacement;
  }
  return found;
}

function bestOfGroup(
  apiVersion: string,
  kind: string,
  release: Release,
  vocabulary: Vocabulary,
): VersionedKind | undefined {
  const { group = '' } = parseApiVersion(apiVersion) ?? {};
  const versions = new Set(releaseHistory(vocabulary).resources.map(({ groupVersion }) => groupVersion));
  const [best] = [...versions]
    .filter((version) => version !== apiVersion && parseApiVersion(version)?.group === group)
    .filter((version) => isServed(version, kind, release, vocabulary))
    .sort((a, b) => compareApiVersions(b.slice(b.indexOf('/') + 1), a.slice(a.indexOf('/') + 1)));
  return best === undefined ? undefined : { groupVersion: best, kind };
}

function isServed(apiVersion: string, kind: string, release: Release, vocabulary: Vocabulary): boolean {
  const removed = marksOf({ groupVersion: apiVersion, kind }, vocabulary)?.removed;
  if (removed !== undefined && compareReleases(requireRelease(removed), release) <= 0) return false;
  const latest = compareReleases(release, LATEST) > 0 ? LATEST : release;
  return resourcesOf(apiVersion, kind, vocabulary).some(({ enabled }) =>
    enabled.some((span) => spans(span, latest)),
  );
}

function sinceOf(apiVersion: string, kind: string, vocabulary: Vocabulary): string {
  const marked = marksOf({ groupVersion: apiVersion, kind }, vocabulary)?.introduced;
  const first = resourcesOf(apiVersion, kind, vocabulary)[0]?.served.from ?? OLDEST;
  return marked ?? releaseText(first);
}

function notesOf(apiVersion: string, kind: string, { groupDomain }: Vocabulary): readonly string[] {
  const version = apiVersion.replace(`.${groupDomain}/`, './');
  const own = WITHDRAWN_NOTES[`${version} ${kind}`] ?? WITHDRAWN_NOTES[`${version} *`] ?? [];
  return own.flatMap((note) => WITHDRAWN_NOTES[note] ?? [note]);
}

interface Sentence {
  readonly finding: FindingKind;
  readonly apiVersion: string;
  readonly removed: string | undefined;
  readonly deprecated: string | undefined;
  readonly introduced: string | undefined;
  readonly replacement: Replacement | undefined;
}

function sentence({ finding, apiVersion, removed, deprecated, introduced, replacement }: Sentence): string {
  const since = deprecated === undefined ? '' : ` since v${deprecated}`;
  const instead = replacement
    ? `; use ${replacement.apiVersion}, served since v${replacement.since}`
    : '; there is no replacement';
  switch (finding) {
    case 'not served yet':
      return `${apiVersion} is not served before v${introduced ?? 'a later release'}`;
    case 'deprecated':
      return `${apiVersion} is deprecated${since}${removed === undefined ? '' : `, and will not be served from v${removed} on`}${instead}`;
    default:
      return `${apiVersion} is not served since v${removed}${deprecated === undefined ? '' : `, deprecated${since}`}${instead}`;
  }
}
