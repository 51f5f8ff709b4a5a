import { apiVersionOf, type Vocabulary } from '@ashlar/core';
import {
  compareReleases,
  deprecationWarning,
  marksOf,
  type Release,
  releaseHistory,
  releaseText,
  requireRelease,
  resourcesOfRelease,
} from '@ashlar/lifecycle';
import { type ResourceDefinition, type ResourceVersion, storageVersion } from '@ashlar/registry';
import { kindInOtherGroup, type ServedAs, servedVersion, withVersions } from './served-version.ts';
import type { WithdrawnVersion } from './withdrawn-version.ts';
import { withdrawnVersions } from './withdrawn-versions.ts';

/** What a server does to serve the API of another release. */
export interface ReleaseEmulation {
  /** `1.21` */
  readonly release: string;
  /** Returns kinds with the versions of the release; versions that are off there can be switched on. */
  apply(definitions: readonly ResourceDefinition[], vocabulary: Vocabulary): readonly ResourceDefinition[];
  /** Returns the kinds that the release has besides those of today. */
  additional(
    definitions: readonly ResourceDefinition[],
    vocabulary: Vocabulary,
  ): readonly ResourceDefinition[];
}

/** The releases that can be emulated: the server's own clients need versions that older ones do not have. */
const [FIRST, LAST] = [requireRelease('1.16'), requireRelease('1.32')];
/** The release since which deprecated versions are answered with warnings. */
const WARNINGS = requireRelease('1.19');

/**
 * Emulates a release: its group versions are served, with its warnings, and no others. Kinds that are not built in are served as ever.
 *
 * @param release `1.16` to `1.32`
 * @param more returns withdrawn versions of other packages
 * @throws TypeError for another release
 */
export function emulatedRelease(
  release: string,
  more: (vocabulary: Vocabulary) => readonly WithdrawnVersion[] = () => [],
): ReleaseEmulation {
  const target = requireRelease(release);
  if (compareReleases(target, FIRST) < 0 || compareReleases(target, LAST) > 0)
    throw new TypeError(`release ${release} cannot be emulated: only 1.16 to 1.32 can`);
  const withdrawnOf = (vocabulary: Vocabulary): readonly WithdrawnVersion[] => [
    ...withdrawnVersions(vocabulary),
    ...more(vocabulary),
  ];
  return {
    release: releaseText(target),
    apply: (definitions, vocabulary) => {
      const withdrawn = withdrawnOf(vocabulary);
      return definitions.map((definition) => emulated(definition, withdrawn, target, vocabulary));
    },
    additional: (definitions, vocabulary) =>
      additionalKinds(definitions, withdrawnOf(vocabulary), target, vocabulary),
  };
}

/** How a release serves a version of a kind; undefined if it does not have it. */
function servedAs(
  apiVersion: string,
  plural: string,
  kind: string,
  release: Release,
  vocabulary: Vocabulary,
): ServedAs | undefined {
  const resource = resourcesOfRelease(apiVersion, release, vocabulary).find(({ name }) => name === plural);
  if (!resource) return undefined;
  const marks = marksOf({ groupVersion: apiVersion, kind }, vocabulary, release) ?? {};
  const isDeprecated =
    marks.deprecated !== undefined && compareReleases(requireRelease(marks.deprecated), release) <= 0;
  const warning = isDeprecated ? deprecationWarning({ groupVersion: apiVersion, kind }, marks) : undefined;
  const warns = warning !== undefined && compareReleases(release, WARNINGS) >= 0;
  const { removed } = marks;
  return {
    served: resource.enabled,
    ...(warns && { warning }),
    ...(warns && removed !== undefined && { removedRelease: removed }),
  };
}

function emulated(
  definition: ResourceDefinition,
  withdrawn: readonly WithdrawnVersion[],
  release: Release,
  vocabulary: Vocabulary,
): ResourceDefinition {
  const { group, names, dialect } = definition;
  if (dialect !== 'built-in' || !isKnown(definition, vocabulary)) return definition;
  const asOf = (version: string): ServedAs | undefined =>
    servedAs(apiVersionOf({ group, version }), names.plural, names.kind, release, vocabulary);
  const own = definition.versions.map((version): ResourceVersion => {
    const as = asOf(version.name);
    return { ...version, ...(as ?? { served: false }) };
  });
  const forms = withdrawn.filter(
    (form) => form.group === group && isKind(form, definition) && asOf(form.version),
  );
  const others = forms.map((form) =>
    servedVersion({ ...form, current: definition }, asOf(form.version) ?? { served: false }),
  );
  return withVersions(definition, forms, [...own, ...others]);
}

const isKnown = ({ group, names }: ResourceDefinition, vocabulary: Vocabulary): boolean =>
  releaseHistory(vocabulary).resources.some(
    ({ groupVersion, name }) =>
      name === names.plural &&
      (group === '' ? !groupVersion.includes('/') : groupVersion.startsWith(`${group}/`)),
  );

const isKind = ({ current }: WithdrawnVersion, { group, names }: ResourceDefinition): boolean =>
  current.group === group && current.names.kind === names.kind;

/** Kinds of removed groups, of kinds that are still served; and removed kinds. */
function additionalKinds(
  definitions: readonly ResourceDefinition[],
  withdrawn: readonly WithdrawnVersion[],
  release: Release,
  vocabulary: Vocabulary,
): readonly ResourceDefinition[] {
  const found: ResourceDefinition[] = [];
  for (const form of withdrawn) {
    const { current, group, version } = form;
    const { plural, kind } = current.names;
    const served = definitions.find((definition) => isKind(form, definition));
    const isUnserved = !served && storageVersion(current).name !== 'v1' && !current.storage;
    if (isUnserved && !found.some((definition) => isKind(form, definition)))
      found.push(emulated(current, withdrawn, release, vocabulary));
    if (group === current.group || (!served && !isUnserved)) continue;
    const as = servedAs(apiVersionOf({ group, version }), plural, kind, release, vocabulary);
    if (as) found.push(kindInOtherGroup({ ...form, current: served ?? current }, as));
  }
  return found.filter(({ versions }) => versions.some((version) => isOfRelease(version)));
}

const isOfRelease = ({ served, toStorage }: ResourceVersion): boolean => served || toStorage !== undefined;
