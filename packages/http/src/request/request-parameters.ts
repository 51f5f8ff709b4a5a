import {
  type FieldError,
  FieldErrors,
  type FieldSelector,
  type GroupResource,
  goQuote,
  type JsonObject,
  metaGroup,
  ParseError,
  type PatchOptions,
  parseFieldSelector,
  parseInt64,
  parseLabelSelector,
  StatusError,
  type Vocabulary,
  validateCreateOptions,
  validatePatchOptions,
  validateUpdateOptions,
} from '@ashlar/core';
import {
  decodeContinueToken,
  type FieldValidation,
  type ListRequest,
  type Selection,
  type WatchRequest,
} from '@ashlar/registry';
import { type ListOptions, validateListOptions } from './list-options.ts';
import { parseResourceVersion, resourceVersionError } from './parse-resource-version.ts';
import type { Query } from './query.ts';
import { isTrue } from './request-info.ts';

/** Parameters of writes (semantics/verbs#options). */
export interface WriteParameters {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
  /** As the caller gave them. */
  readonly options: JsonObject;
}

/** Parameters of watches; `timeoutSeconds` is absent if the client sets none, and not positive for a watch that ends at once. */
export interface WatchParameters extends WatchRequest {
  readonly timeoutSeconds?: number;
}

/**
 * Parses a 64-bit integer parameter; undefined if it is absent.
 * @throws StatusError 400 in the words of the reference server
 */
export function integerParameter(query: Query, name: string): number | undefined {
  const value = bigIntParameter(query, name);
  return value === undefined ? undefined : Number(value);
}

function bigIntParameter(query: Query, name: string): bigint | undefined {
  const text = query.get(name);
  if (text === undefined) return undefined;
  const value = parseInt64(text);
  if (value !== undefined) return value;
  const why = /^[+-]?[0-9]+$/.test(text) ? 'value out of range' : 'invalid syntax';
  throw StatusError.badRequest(`strconv.ParseInt: parsing ${goQuote(text)}: ${why}`);
}

/** Parses a parameter of seconds as the reference counts them, in nanoseconds of 64 bits that overflow: 9223372036854775807 is -1. */
function secondsParameter(query: Query, name: string): number | undefined {
  const value = bigIntParameter(query, name);
  return value === undefined ? undefined : Number(BigInt.asIntN(64, value * SECOND)) / Number(SECOND);
}

const SECOND = 1_000_000_000n;

/** Members of an object; those that it may lack may be undefined. */
type Members<All> = {
  readonly [Name in keyof All]: All extends Required<Pick<All, Name>> ? All[Name] : All[Name] | undefined;
};

/**
 * The members that are not undefined, one after the other: a literal that begins with a spread has a hidden class of its own each time, and what reads
 * it has no code for it.
 */
function present<All extends object>(members: Members<All>): All {
  const all: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(members)) if (value !== undefined) all[name] = value;
  return all as All;
}

/** Checks that there are no errors. @throws StatusError 422 that names the kind of options */
export function requireValidOptions(
  vocabulary: Vocabulary,
  kind: string,
  errors: readonly FieldError[],
): void {
  if (errors.length > 0) throw StatusError.invalid(metaGroup(vocabulary), kind, '', errors);
}

/** Parses the selectors. @throws StatusError 400 */
function selection(query: Query): Selection {
  try {
    return {
      labels: parseLabelSelector(query.get('labelSelector') ?? ''),
      fields: parseFieldSelector(query.get('fieldSelector') ?? ''),
    };
  } catch (error) {
    throw ParseError.is(error) ? StatusError.badRequest(error.message, error) : error;
  }
}

/** Returns the list options that are validated together; numbers are parsed separately. */
function listOptions(query: Query): ListOptions {
  const initial = query.get('sendInitialEvents');
  return present<ListOptions>({
    resourceVersion: query.get('resourceVersion'),
    resourceVersionMatch: query.get('resourceVersionMatch'),
    continue: query.get('continue'),
    sendInitialEvents: initial === undefined ? undefined : isTrue(initial),
  });
}

/** What parameters of lists and watches depend on. */
export interface ListedResource {
  readonly vocabulary: Vocabulary;
  readonly groupResource: GroupResource;
  readonly ignoresVersions?: boolean;
  /** Checks that the kind supports the fields of a selector, before versions are parsed. @throws StatusError 400 */
  requireFields(fields: FieldSelector): void;
}

/** Parameters of a list or watch that are valid by themselves; the resource has yet to accept their fields and versions. */
export interface DecodedListParameters {
  readonly query: Query;
  readonly selected: Selection;
  readonly limit: number | undefined;
  readonly timeoutSeconds: number | undefined;
  /** Of a watch: whether it begins with the events of all objects; undefined if its version decides. */
  readonly sendInitialEvents: boolean | undefined;
}

/**
 * Decodes the parameters of a list or watch: what is wrong with them is reported before the format of the response is negotiated, what
 * is wrong with fields and versions after it (semantics/list-and-watch#option-validation).
 * @throws StatusError 400, 422
 */
export function decodeListParameters(
  query: Query,
  vocabulary: Vocabulary,
  isWatch = false,
): DecodedListParameters {
  const limit = integerParameter(query, 'limit');
  const timeoutSeconds = secondsParameter(query, 'timeoutSeconds');
  const selected = selection(query);
  const options = listOptions(query);
  if (!isWatch) requireValidOptions(vocabulary, 'ListOptions', validateListOptions(options));
  const { sendInitialEvents } = isWatch ? watchOptions(options, vocabulary) : options;
  return { query, selected, limit, timeoutSeconds, sendInitialEvents };
}

/** Returns the options of a watch with what they imply: one from no version or from `0` begins with initial events (semantics/list-and-watch#watch). */
function watchOptions(options: ListOptions, vocabulary: Vocabulary): ListOptions {
  requireValidOptions(vocabulary, 'ListOptions', validateListOptions({ ...options, watch: true }));
  const { resourceVersion: version = '', sendInitialEvents } = options;
  if (sendInitialEvents !== undefined || (version !== '' && version !== '0')) return options;
  const implied = { ...options, sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' };
  if (options.continue)
    requireValidOptions(vocabulary, 'ListOptions', validateListOptions({ ...implied, watch: true }));
  return implied;
}

/**
 * Returns the request of a list.
 * @throws StatusError 400 for fields and versions
 */
export function listRequest(
  { query, selected, limit }: DecodedListParameters,
  resource: ListedResource,
): ListRequest {
  resource.requireFields(selected.fields);
  const version = resource.ignoresVersions ? undefined : query.get('resourceVersion');
  const next = resource.ignoresVersions ? undefined : query.get('continue');
  if (next && version && version !== '0') {
    // a token that cannot be read is reported first
    decodeContinueToken(next, '/', resource.vocabulary);
    throw StatusError.badRequest('specifying resource version is not allowed when using continue');
  }
  return present<ListRequest>({
    labels: selected.labels,
    fields: selected.fields,
    limit,
    continue: next || undefined,
    resourceVersion: next ? undefined : parseResourceVersion(version),
    // has been validated with the other options
    resourceVersionMatch: (query.get('resourceVersionMatch') ||
      undefined) as ListRequest['resourceVersionMatch'],
  });
}

/**
 * Returns the request of a watch (semantics/list-and-watch#watch).
 * @throws StatusError 400, 422 for fields and versions
 */
export function watchRequest(
  { query, selected, timeoutSeconds, sendInitialEvents }: DecodedListParameters,
  resource: ListedResource,
): WatchParameters {
  resource.requireFields(selected.fields);
  const version = query.get('resourceVersion') ?? '';
  requireResourceVersion(version, resource.groupResource);
  return present<WatchParameters>({
    labels: selected.labels,
    fields: selected.fields,
    resourceVersion: parseResourceVersion(version),
    sendInitialEvents,
    allowBookmarks: isTrue(query.get('allowWatchBookmarks')),
    timeoutSeconds: timeoutSeconds || undefined,
  });
}

/** Checks the version of a watch, whose error differs from that of lists. @throws StatusError 422 (semantics/status#situations) */
function requireResourceVersion(version: string, { group, resource }: GroupResource): void {
  const message = resourceVersionError(version);
  if (message === undefined) return;
  const error = FieldErrors.invalid('resourceVersion', version, message);
  throw StatusError.invalid(group, resource, '', [error]);
}

type WriteKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions';

/**
 * Parses the parameters of a write (semantics/verbs#options).
 * @throws StatusError 422
 */
export function parseWriteParameters(
  query: Query,
  vocabulary: Vocabulary,
  kind: WriteKind,
  patchType = '',
): WriteParameters {
  const known = knownParameters.get(query) ?? new Map<string, WriteParameters>();
  const use = patchType === '' ? kind : patchType;
  const found = known.get(use);
  if (found) return found;
  const options = writeOptions(query);
  requireValidOptions(vocabulary, kind, optionErrors(options, kind, patchType));
  const parameters = {
    dryRun: options.dryRun.length > 0,
    fieldManager: query.get('fieldManager') ?? '',
    fieldValidation: (query.get('fieldValidation') || 'Warn') as FieldValidation,
    options: Object.freeze(options) as unknown as JsonObject,
  };
  knownParameters.set(query, known.set(use, parameters));
  return parameters;
}

/** What queries mean to writes, by kind and media type: requests with the same query share it. */
const knownParameters = new WeakMap<Query, Map<string, WriteParameters>>();

function writeOptions(query: Query): PatchOptions & { readonly dryRun: readonly string[] } {
  const force = query.get('force');
  return present<ReturnType<typeof writeOptions>>({
    dryRun: parseDryRun(query),
    fieldManager: query.get('fieldManager'),
    fieldValidation: query.get('fieldValidation'),
    force: force === undefined ? undefined : isTrue(force),
  });
}

function optionErrors(options: PatchOptions, kind: WriteKind, patchType: string): readonly FieldError[] {
  if (kind === 'PatchOptions') return validatePatchOptions(options, patchType);
  return kind === 'CreateOptions' ? validateCreateOptions(options) : validateUpdateOptions(options);
}

/** Parses `dryRun`; without a value it is ignored (semantics/differences#dry-run-without-a-value). */
export function parseDryRun(query: Query): readonly string[] {
  return query.all('dryRun').filter((value) => value !== '');
}
