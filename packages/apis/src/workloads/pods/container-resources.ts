import {
  dns1123LabelErrors,
  type FieldError,
  FieldErrors,
  MAXIMUM_FIELD_ERRORS,
  ownMember,
  PrintedValue,
  parseQuantity,
  printFieldValue,
  type Quantity,
  type Vocabulary,
} from '@ashlar/core';
import { each, eachEntry, follows, forbiddenWhen, invalidWhen, NO_ERRORS, required } from '../field-rules.ts';
import { amountErrors } from '../resources/resource-amounts.ts';
import {
  containerResourceErrors,
  isHugePages,
  isOvercommitted,
  pageSizeOf,
} from '../resources/resource-names.ts';
import type { ResourceClaimReference, ResourceList, ResourceRequirements } from './container-types.ts';

/** What limits and requests of a container are checked against. */
export interface ResourceContext {
  readonly vocabulary: Vocabulary;
  /** Names of the pod's claims of resources. */
  readonly claims: ReadonlySet<string>;
}

/** Errors of limits and requests of a container. */
export function resourceErrors(
  { limits = {}, requests = {}, claims }: ResourceRequirements,
  context: ResourceContext,
  path: string,
): readonly FieldError[] {
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  const isPaged = names.some(isHugePages) && !names.some((name) => name === 'cpu' || name === 'memory');
  return [
    ...eachEntry(limits, (name, amount) => listErrors(name, amount, context, `${path}.limits`)),
    ...eachEntry(requests, (name, amount) => [
      ...nameAndAmountErrors(name, amount, context, `${path}.requests`),
      ...boundErrors([name, amount], limits, context.vocabulary, path),
      ...pageErrors(name, amount, `${path}.requests[${name}]`),
    ]),
    ...forbiddenWhen(isPaged, path, 'HugePages require cpu or memory'),
    ...claimsErrors(claims, context.claims, `${path}.claims`),
  ];
}

function listErrors(
  name: string,
  amount: string,
  context: ResourceContext,
  path: string,
): readonly FieldError[] {
  return [
    ...nameAndAmountErrors(name, amount, context, path),
    ...pageErrors(name, amount, `${path}[${name}]`),
  ];
}

function nameAndAmountErrors(
  name: string,
  amount: string,
  { vocabulary }: ResourceContext,
  path: string,
): readonly FieldError[] {
  const at = `${path}[${name}]`;
  return [...containerResourceErrors(name, vocabulary, at), ...amountErrors(name, amount, vocabulary, at)];
}

/** Memory is given in pages of one size. */
function pageErrors(name: string, amount: string, path: string): readonly FieldError[] {
  if (!isHugePages(name)) return NO_ERRORS;
  const quantity = parseQuantity(amount);
  const why = `${quantity} is not positive integer multiple of ${name}`;
  return invalidWhen(!isDivisible(quantity, pageSizeOf(name)), path, amount, why);
}

function isDivisible(amount: Quantity, size: Quantity | undefined): boolean {
  if (!size || size.sign <= 0 || size.milliValue() % 1000n !== 0n) return false;
  return amount.value() % size.value() === 0n;
}

/** Requests stay within their limit; of what cannot be shared they are their limit. */
function boundErrors(
  [name, amount]: readonly [name: string, amount: string],
  limits: ResourceList,
  vocabulary: Vocabulary,
  path: string,
): readonly FieldError[] {
  const limit = ownMember(limits, name);
  const isShared = isOvercommitted(name, vocabulary);
  if (limit === undefined)
    return isShared
      ? NO_ERRORS
      : [FieldErrors.required(`${path}.limits`, 'Limit must be set for non overcommitable resources')];
  // requests default to limits
  const order = amount === limit ? 0 : parseQuantity(amount).compare(parseQuantity(limit));
  if (order === 0 || (order < 0 && isShared)) return NO_ERRORS;
  const how = isShared ? 'less than or equal' : 'equal';
  return [FieldErrors.invalid(`${path}.requests`, amount, `must be ${how} to ${name} limit of ${limit}`)];
}

function claimsErrors(
  claims: readonly ResourceClaimReference[] | undefined,
  claimNames: ReadonlySet<string>,
  path: string,
): readonly FieldError[] {
  const seen = new Set<string>();
  /** How many of those seen begin with a name and a slash: requests of that claim. */
  const requestsOf = new Map<string, number>();
  return each(path, claims, ({ name = '', request = '' }, at) => {
    if (name === '') return required(at, name);
    const key = request === '' ? name : `${name}/${request}`;
    const isRepeated = seen.has(name) || seen.has(key);
    const overlaps = request === '' && !isRepeated ? (requestsOf.get(name) ?? 0) : 0;
    const errors = [
      ...(request !== '' && !seen.has(name)
        ? follows(`${at}.request`, request, dns1123LabelErrors)
        : NO_ERRORS),
      ...(isRepeated ? [FieldErrors.duplicate(at, seen.has(name) ? name : key)] : NO_ERRORS),
      ...Array.from({ length: Math.min(overlaps, MAXIMUM_FIELD_ERRORS + 1) }, () =>
        FieldErrors.duplicate(at, name),
      ),
      ...(claimNames.has(name) ? NO_ERRORS : [unknownClaim(name, claimNames, at)]),
    ];
    if (!seen.has(key))
      for (const beginning of beginningsOf(key))
        requestsOf.set(beginning, (requestsOf.get(beginning) ?? 0) + 1);
    seen.add(key);
    return errors;
  });
}

/** Names of claims are shorter. */
const LONGEST_NAME = 253;

/** What is before each slash of a text: one text, unless a name is wrong and has slashes itself. */
function* beginningsOf(text: string): Iterable<string> {
  for (let at = text.indexOf('/'); at >= 0 && at <= LONGEST_NAME; at = text.indexOf('/', at + 1))
    yield text.slice(0, at);
}

/** Texts of names as messages show them: a hundred unknown claims may list the same ones. */
const shownTexts: WeakMap<ReadonlySet<string>, string> = new WeakMap();

function shown(names: ReadonlySet<string>): string {
  const text = shownTexts.get(names) ?? printFieldValue(new PrintedValue([...names].sort().join(', ')));
  shownTexts.set(names, text);
  return text;
}

function unknownClaim(name: string, claimNames: ReadonlySet<string>, path: string): FieldError {
  const list = claimNames.size === 0 ? ' which is empty' : `: ${shown(claimNames)}`;
  const error = FieldErrors.notFound(path, name);
  return {
    ...error,
    message: `${error.message}: must be one of the names in pod.spec.resourceClaims${list}`,
  };
}
