import {
  type Ambient,
  andThen,
  type LabelSelector,
  type MaybePromise,
  runInSlices,
  type Steps,
  toLabelSelector,
} from '@ashlar/core';
import type { AdmissionRequest } from '../admission-request.ts';
import {
  matchedVersion,
  type NamedAdmissionRule,
  type NamespaceReader,
  namespaceMatches,
  objectMatches,
} from '../matching/request-matching.ts';
import type { MatchResources, Policy, PolicyBinding, PolicySpec } from './policy-objects.ts';

/** What a policy or a binding matches, with its selectors compiled. */
export interface ReadyMatch {
  readonly namespaceSelector: LabelSelector;
  readonly objectSelector: LabelSelector;
  readonly rules: readonly NamedAdmissionRule[];
  readonly excluded: readonly NamedAdmissionRule[];
  readonly matchPolicy: string;
}

/** A binding that is ready to be matched. */
export interface ReadyBinding {
  readonly binding: PolicyBinding;
  readonly name: string;
  /** Undefined if it matches whatever its policy does. */
  readonly match: ReadyMatch | undefined;
}

/** A policy that is ready to be matched and evaluated. */
export interface ReadyPolicy<C = unknown> {
  readonly spec: PolicySpec;
  readonly name: string;
  readonly match: ReadyMatch;
  /** Whether errors are passed over. */
  readonly ignoresErrors: boolean;
  /** Compiled when it is first needed; a promise as long as that is not done. */
  compiled(): MaybePromise<C>;
}

/**
 * @param compile compiles the expressions of the policy
 * @param ambient without it, they are compiled at once
 */
export function readyPolicy<S extends PolicySpec, C>(
  { metadata, spec = {} as S }: Policy<S>,
  compile: (spec: S) => Steps<C>,
  ambient: Pick<Ambient, 'clock' | 'turns'> | undefined,
): ReadyPolicy<C> {
  let compiled: MaybePromise<C> | undefined;
  return {
    spec,
    name: metadata.name ?? '',
    match: readyMatch(spec.matchConstraints ?? {}),
    ignoresErrors: spec.failurePolicy === 'Ignore',
    compiled() {
      compiled ??= andThen(runInSlices(compile(spec), ambient), (done) => {
        compiled = done;
        return done;
      });
      return compiled;
    },
  };
}

export function readyBinding(binding: PolicyBinding): ReadyBinding {
  const { metadata, spec = {} } = binding;
  return {
    binding,
    name: metadata.name ?? '',
    match: spec.matchResources ? readyMatch(spec.matchResources) : undefined,
  };
}

function readyMatch(resources: MatchResources): ReadyMatch {
  return {
    namespaceSelector: toLabelSelector(resources.namespaceSelector ?? {}),
    objectSelector: toLabelSelector(resources.objectSelector ?? {}),
    rules: resources.resourceRules ?? [],
    excluded: resources.excludeResourceRules ?? [],
    matchPolicy: resources.matchPolicy ?? 'Equivalent',
  };
}

/**
 * Returns the version in which a policy or a binding sees the request; undefined if it does not match.
 * @throws StatusError 404 for a namespace that does not exist
 */
export function matchRequest(
  match: ReadyMatch,
  request: AdmissionRequest,
  namespace: NamespaceReader,
): string | undefined | Promise<string | undefined> {
  const version = versionOf(match, request);
  if (version === undefined || !objectMatches(match.objectSelector, request)) return undefined;
  const fits = namespaceMatches(match.namespaceSelector, request, namespace);
  if (fits instanceof Promise) return fits.then((does) => (does ? version : undefined));
  return fits ? version : undefined;
}

function versionOf(
  { rules, excluded, matchPolicy }: ReadyMatch,
  request: AdmissionRequest,
): string | undefined {
  if (excluded.length > 0 && matchedVersion(excluded, matchPolicy, request) !== undefined) return undefined;
  if (rules.length === 0) return request.resource.version;
  return matchedVersion(rules, matchPolicy, request);
}
