import {
  type FieldError,
  FieldErrors,
  ParseError,
  PrintedValue,
  parseQuantity,
  type Quantity,
  qualifiedNameErrors,
  type Vocabulary,
} from '@ashlar/core';
import { NO_ERRORS } from '../field-rules.ts';
import { isDomainQualifiedResource } from '../quota/extended-resource.ts';

// Names of resources: what containers, quotas and limit ranges count.

/** Resources of containers. */
const OF_CONTAINERS: readonly string[] = ['cpu', 'memory', 'ephemeral-storage'];

/** Resources that are objects, and so are counted one by one. */
const OBJECTS: readonly string[] = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
];

/** Resources that quotas limit. */
const OF_QUOTAS: ReadonlySet<string> = new Set([
  ...OF_CONTAINERS,
  ...OF_CONTAINERS.map((name) => `requests.${name}`),
  ...OF_CONTAINERS.map((name) => `limits.${name}`),
  ...OBJECTS,
  'requests.storage',
]);

const PAGES: RegExp = /^hugepages-/;
const PAGES_OF_QUOTAS: RegExp = /^(?:requests\.)?hugepages-/;

/** Whether a resource is memory in pages of one size, which is in its name. */
export const isHugePages = (name: string): boolean => PAGES.test(name);

/** The size of its pages; undefined if its name has none. */
export function pageSizeOf(name: string): Quantity | undefined {
  try {
    return parseQuantity(name.replace(PAGES, ''));
  } catch (error) {
    if (ParseError.is(error)) return undefined;
    throw error;
  }
}

/** Whether containers may ask for less of a resource than is their limit. */
export function isOvercommitted(name: string, vocabulary: Vocabulary): boolean {
  return !isDomainQualifiedResource(name, vocabulary) && !isHugePages(name);
}

/** Whether containers may ask for a resource with a domain: it must be possible to limit it by a quota. */
function isExtended(name: string, vocabulary: Vocabulary): boolean {
  return (
    isDomainQualifiedResource(name, vocabulary) &&
    !name.startsWith('requests.') &&
    qualifiedNameErrors(`requests.${name}`).length === 0
  );
}

/** Whether there are only whole units of a resource. */
export function isCounted(name: string, vocabulary: Vocabulary): boolean {
  return OBJECTS.includes(name) || isExtended(name, vocabulary);
}

/** Errors of the name of a resource; without a domain it must be a known one. */
export function resourceNameErrors(name: string, path: string): readonly FieldError[] {
  const wrong = qualifiedNameErrors(name);
  if (wrong.length > 0) return wrong.map((why) => invalidName(name, path, why));
  if (name.includes('/') || isOfQuotas(name) || name === 'storage') return NO_ERRORS;
  return [invalidName(name, path, 'must be a standard resource type or fully qualified')];
}

/** Names are printed without quotes. */
const invalidName = (name: string, path: string, why: string): FieldError =>
  FieldErrors.invalid(path, new PrintedValue(name), why);

/** Whether quotas limit a resource without a domain. */
export const isOfQuotas = (name: string): boolean => OF_QUOTAS.has(name) || PAGES_OF_QUOTAS.test(name);

/** Errors of the name of a resource of containers. */
export function containerResourceErrors(
  name: string,
  vocabulary: Vocabulary,
  path: string,
): readonly FieldError[] {
  return [...resourceNameErrors(name, path), ...foreignResourceErrors(name, vocabulary, path)];
}

/** The same for metrics of containers: errors of the form of a name print it in quotes. */
export function measuredResourceErrors(
  name: string,
  vocabulary: Vocabulary,
  path: string,
): readonly FieldError[] {
  const malformed = qualifiedNameErrors(name).map((why) => FieldErrors.invalid(path, name, why));
  const errors = malformed.length > 0 ? malformed : resourceNameErrors(name, path);
  return [...errors, ...foreignResourceErrors(name, vocabulary, path)];
}

/** Errors of the name of a resource that containers do not have. */
function foreignResourceErrors(name: string, vocabulary: Vocabulary, path: string): readonly FieldError[] {
  const isUnqualified = !name.includes('/');
  if (isUnqualified && !OF_CONTAINERS.includes(name) && !isHugePages(name))
    return [invalidName(name, path, 'must be a standard resource for containers')];
  if (!isUnqualified && isDomainQualifiedResource(name, vocabulary) && !isExtended(name, vocabulary))
    return [invalidName(name, path, "doesn't follow extended resource name standard")];
  return NO_ERRORS;
}

/** Errors of the name of a resource that a quota limits. */
export function quotaResourceErrors(name: string, path: string): readonly FieldError[] {
  const errors = resourceNameErrors(name, path);
  return name.includes('/') || isOfQuotas(name)
    ? errors
    : [...errors, invalidName(name, path, 'must be a standard resource for quota')];
}
