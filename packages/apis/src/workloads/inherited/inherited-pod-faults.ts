import {
  type ApiObject,
  dns1123SubdomainWithUnderscoreErrors,
  type FieldError,
  type JsonObject,
} from '@ashlar/core';
import type { PodSpec } from '../core/pod-types.ts';
import { type InheritedFault, inheritedError } from './inherited-faults.ts';
import { isIn, isValueOfSelector, malformedSelectorValues } from './inherited-selectors.ts';

/**
 * Faults that former releases accepted in pods and their templates.
 * @param path of the spec of the pods
 */
export function inheritedPodFaults(path: readonly string[]): readonly InheritedFault[] {
  const spec = path.join('.');
  const inPart =
    (part: string, isFault: (error: FieldError) => boolean) =>
    (error: FieldError): boolean =>
      isIn(`${spec}.${part}`)(error.field) && isFault(error);
  return [
    malformedSelectorValues(isSelectorOfPods(path)),
    inheritedError(inPart('topologySpreadConstraints', ({ field }) => SPREAD_SELECTOR.test(field))),
    inheritedError(inPart('volumes', isTokenPath)),
    inheritedError(inPart('securityContext.sysctls', ({ message }) => SHARED_WITH_HOST.test(message))),
    inheritedError(({ field, message }) => isIn(spec)(field) && PARTIAL_PAGE.test(message)),
    inheritedError(({ field, message }) => isIn(spec)(field) && NO_SLEEP.test(field + message)),
    inheritedError(({ field }) => DELETION_COST.test(field)),
    relaxedSearches(path),
  ];
}

const POD_SELECTOR: RegExp = /\.(?:labelSelector|namespaceSelector)\./;
const SPREAD_SELECTOR: RegExp = /\]\.labelSelector\./;
const SHARED_WITH_HOST: RegExp = /may not be specified when 'host(?:Network|IPC)' is true$/;
const PARTIAL_PAGE: RegExp = /is not positive integer multiple of hugepages-/;
const NO_SLEEP: RegExp = /\.sleepInvalid value: 0: /;
const DELETION_COST: RegExp = /^[\w.]*\.annotations\[controller\.[\w.]+\/pod-deletion-cost\]$/;

/** Selectors of other pods, beside which a pod wants to be or not to be. */
const isSelectorOfPods =
  (path: readonly string[]) =>
  (field: string): boolean =>
    ['podAffinity', 'podAntiAffinity'].some((kind) => isIn(`${path.join('.')}.affinity.${kind}`)(field)) &&
    POD_SELECTOR.test(field);

/** Where one malformed value lets the selector of a kind and those of its template have others. @param path of the spec of its pods */
export function selectorsWithTemplate(path: readonly string[]): InheritedFault {
  const isOfTemplate = isSelectorOfPods(path);
  const isOfKind = isIn('spec.selector');
  return malformedSelectorValues(
    (field) => isOfKind(field) || isOfTemplate(field),
    (field) => (isOfKind(field) && isValueOfSelector(field)) || isOfTemplate(field),
  );
}

/** A token outside the volume. */
const isTokenPath = ({ field, reason }: FieldError): boolean =>
  reason === 'FieldValueInvalid' && /^[^[]*\[\d+\]\.projected\.path$/.test(field);

/** Domains with underscores, and the root, of pods that search some already. */
function relaxedSearches(path: readonly string[]): InheritedFault {
  const searches = `${path.join('.')}.dnsConfig.searches`;
  return {
    isAbout({ field }, object) {
      const index = Number(field.slice(searches.length + 1, -1));
      return isIn(searches)(field) && isRelaxed(searchesOf(object, path)[index] ?? '');
    },
    isInherited: ({ stored }) =>
      searchesOf(stored, path).some((search) => search === '.' || search.includes('_')),
  };
}

const isRelaxed = (search: string): boolean =>
  search === '.' || dns1123SubdomainWithUnderscoreErrors(search.replace(/\.$/, '')).length === 0;

function searchesOf(object: ApiObject, path: readonly string[]): readonly string[] {
  let part: JsonObject | undefined = object as unknown as JsonObject;
  for (const name of path) part = part?.[name] as JsonObject | undefined;
  return ((part ?? {}) as PodSpec).dnsConfig?.searches ?? [];
}
