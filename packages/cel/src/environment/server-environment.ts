import { orchVocabulary, type Vocabulary } from '@ashlar/core';
import type { Library } from '../check/declarations.ts';
import { type CostModel, kubernetesCosts, specificationCosts } from '../cost/cost-model.ts';
import { aggregatesLibrary } from '../libraries/aggregates.ts';
import { authorizationLibrary, authorizationSelectorsLibrary } from '../libraries/authorization.ts';
import { formatsLibrary } from '../libraries/formats.ts';
import { listsLibrary } from '../libraries/lists.ts';
import { cidrLibrary, ipLibrary } from '../libraries/network.ts';
import { earlierOptionalLibrary, optionalLibrary } from '../libraries/optionals.ts';
import { patternsLibrary } from '../libraries/patterns.ts';
import { quantitiesLibrary } from '../libraries/quantities.ts';
import { setsLibrary } from '../libraries/sets.ts';
import { stringsLibrary } from '../libraries/strings.ts';
import { twoVariableLibrary } from '../libraries/two-variable.ts';
import { urlsLibrary } from '../libraries/urls.ts';
import { versionsLibrary } from '../libraries/versions.ts';
import { earlierMacros, standardMacros } from '../syntax/macros.ts';
import { createEnvironment, type Environment, type EnvironmentOptions } from './environment.ts';

/** A release, as `1.32`. */
export type Release = `${number}.${number}`;

/** Options of an API server's environment. */
export interface ServerEnvironmentOptions {
  /** Vocabulary of type names; also determines the cost model. The specification's own by default. */
  readonly vocabulary?: Vocabulary;
  /** The release whose libraries are available; all libraries by default. */
  readonly release?: Release;
  /** The release whose estimates of costs are made; by default the one whose libraries are available. */
  readonly estimates?: Release;
  /** Overrides the cost model. */
  readonly costModel?: CostModel;
  /**
   * Whether authorizer calls support selectors, which the feature gate `AuthorizeWithSelectors` decides:
   * alpha in release 1.31, which added the functions, and beta and on since. True by default.
   */
  readonly authorizeWithSelectors?: boolean;
}

interface Introduced {
  readonly since: number;
  /** First release without it. */
  readonly until?: number;
  readonly library: (vocabulary: Vocabulary) => Library;
}

/** The minor release that added each library (semantics/schemas#costs). */
const HISTORY: readonly Introduced[] = [
  { since: 0, library: urlsLibrary },
  { since: 0, library: () => patternsLibrary },
  { since: 0, until: 37, library: () => aggregatesLibrary(0) },
  { since: 37, library: () => aggregatesLibrary(1) },
  { since: 0, until: 29, library: () => stringsLibrary(0) },
  { since: 29, library: () => stringsLibrary(2) },
  { since: 27, library: authorizationLibrary },
  { since: 28, until: 33, library: () => earlierOptionalLibrary },
  { since: 33, library: () => optionalLibrary },
  { since: 28, library: quantitiesLibrary },
  { since: 29, library: () => setsLibrary },
  { since: 30, library: () => ipLibrary() },
  { since: 30, library: () => cidrLibrary() },
  { since: 31, library: formatsLibrary },
  { since: 31, library: authorizationSelectorsLibrary },
  { since: 32, library: () => twoVariableLibrary },
  { since: 33, library: versionsLibrary },
  { since: 34, library: () => listsLibrary },
];
const CROSS_TYPE_SINCE = 28;
const LITERAL_CHECKS_SINCE = 29;
/** From here on there is `existsOne`, and estimates know the elements of computed lists and maps. */
const ELEMENTS_SINCE = 33;
/** From here on a maximum length limits numbers or texts. */
const LIMITS_SINCE = 34;

/** The minor part of a release, infinite for none. */
function minorOf(release: Release | undefined): number {
  if (release === undefined) return Number.POSITIVE_INFINITY;
  const found = /^1\.(\d+)$/.exec(release);
  if (!found) throw new TypeError(`no such release: ${release}`);
  return Number(found[1]);
}

const environments = new WeakMap<Vocabulary, Map<string, Environment>>();

/**
 * The environment of an API server: the libraries of a release, its limits of types, and the cost model of a
 * vocabulary. Environments of one vocabulary and release are shared.
 * @throws TypeError for an invalid release
 */
export function serverEnvironment(options: ServerEnvironmentOptions = {}): Environment {
  const vocabulary = options.vocabulary ?? orchVocabulary;
  if (options.costModel || options.authorizeWithSelectors === false)
    return createEnvironment(environmentOptions(vocabulary, options));
  const releases = environments.get(vocabulary) ?? new Map<string, Environment>();
  environments.set(vocabulary, releases);
  const key = `${options.release} ${options.estimates}`;
  const cached = releases.get(key);
  if (cached) return cached;
  const environment = createEnvironment(environmentOptions(vocabulary, options));
  releases.set(key, environment);
  return environment;
}

function environmentOptions(vocabulary: Vocabulary, options: ServerEnvironmentOptions): EnvironmentOptions {
  const minor = minorOf(options.release);
  const selectors = options.authorizeWithSelectors ?? true;
  const present = HISTORY.filter(
    ({ since, until }) => since <= minor && (until === undefined || minor < until),
  );
  return {
    libraries: present
      .filter(({ library }) => selectors || library !== authorizationSelectorsLibrary)
      .map(({ library }) => library(vocabulary)),
    costModel: options.costModel ?? (vocabulary === orchVocabulary ? specificationCosts : kubernetesCosts),
    crossTypeComparison: minor >= CROSS_TYPE_SINCE,
    checkLiterals: minor >= LITERAL_CHECKS_SINCE,
    homogeneousLiterals: true,
    // no release has cel.bind
    languageMacros: minor >= ELEMENTS_SINCE ? standardMacros : earlierMacros,
    estimatesElements: minorOf(options.estimates ?? options.release) >= ELEMENTS_SINCE,
    syntax: { optionalSyntax: minor >= CROSS_TYPE_SINCE },
  };
}

/** The two environments of a server: new expressions may use less than stored ones. */
export interface EnvironmentSet {
  /** For new and changed expressions: only what the previous release supports, so that a rollback is possible. */
  readonly forNew: Environment;
  /** For stored expressions: everything. */
  readonly forStored: Environment;
  /** Whether a maximum length limits the estimated size of numbers or texts. */
  readonly limitsNumbersOrTexts: boolean;
  /** Extends both. */
  extend(more: EnvironmentOptions): EnvironmentSet;
}

/** The environments of a server of a release (semantics/schemas#rules; semantics/schemas#costs). */
export function environmentSet(
  release: Release,
  options: Omit<ServerEnvironmentOptions, 'release'> = {},
): EnvironmentSet {
  const before: Release = `1.${minorOf(release) - 1}`;
  const own = { estimates: release, ...options };
  return pair(
    serverEnvironment({ ...own, release: before }),
    serverEnvironment(own),
    minorOf(release) >= LIMITS_SINCE,
  );
}

function pair(forNew: Environment, forStored: Environment, limitsNumbersOrTexts: boolean): EnvironmentSet {
  return {
    ...{ forNew, forStored, limitsNumbersOrTexts },
    extend: (more) => pair(forNew.extend(more), forStored.extend(more), limitsNumbersOrTexts),
  };
}
