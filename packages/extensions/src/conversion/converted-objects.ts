import {
  type ApiObject,
  errorMessage,
  type FieldError,
  fieldErrorText,
  goTypeName,
  groupVersionKindText,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  joinedTexts,
  jsonTypeError,
  type ObjectMeta,
  parseApiVersion,
  StatusError,
  type Steps,
  validateAnnotations,
  validateLabels,
} from '@ashlar/core';

/** Source of the response in error messages: `conversion webhook for example.com/v1, Kind=Widget`. */
export const converterName = (converter: string, { apiVersion, kind }: ApiObject): string =>
  `${converter} for ${groupVersionKindText({ group: '', version: '', ...parseApiVersion(apiVersion), kind })}`;

/** A failed conversion, whose message is returned to the client. */
const conversionFailure = (message: string, cause?: unknown): StatusError =>
  new StatusError({ code: 500, reason: '', message }, cause);

/** The error that a client gets for one of a converter. @param name as {@link converterName} returns it */
export function converterError(name: string, error: unknown): StatusError {
  return StatusError.is(error) ? error : conversionFailure(`${name} failed: ${errorMessage(error)}`, error);
}

/**
 * Validates the result of a converter, with a pause after each object (semantics/lifecycle#conversion): the same number of objects, of the
 * same kind and identity, in the requested version. Only labels and annotations of the converted metadata are
 * used.
 *
 * @param name as {@link converterName} returns it
 * @throws StatusError 500
 */
export function* acceptConvertedSteps(
  name: string,
  objects: readonly ApiObject[],
  converted: unknown,
  apiVersion: string,
): Steps<readonly ApiObject[]> {
  const convertedList: readonly unknown[] = Array.isArray(converted) ? converted : [];
  if (convertedList.length !== objects.length)
    throw conversionFailure(`${name} returned ${convertedList.length} objects, expected ${objects.length}`);
  const accepted: ApiObject[] = [];
  for (const [index, object] of objects.entries()) {
    const value = convertedList[index] as JsonValue;
    accepted.push(acceptOne(name, { object, index, count: objects.length }, value, apiVersion));
    // each may have labels by the thousand
    yield;
  }
  return accepted;
}

/** An object that was converted, and its place. */
interface Original {
  readonly object: ApiObject;
  readonly index: number;
  readonly count: number;
}

function acceptOne(
  name: string,
  { object, index, count }: Original,
  value: JsonValue,
  apiVersion: string,
): ApiObject {
  const isOne = count === 1;
  const which = isOne ? 'object' : `converted object at index ${index}`;
  const other = kindError(object, value, apiVersion);
  if (other !== undefined)
    throw conversionFailure(`${name} returned invalid ${isOne ? 'object at index 0' : which}: ${other}`);
  const wrong = identityError(object, value as JsonObject);
  if (wrong !== undefined) throw conversionFailure(`${name} returned invalid ${which}: ${wrong}`);
  const metadata = restoredMetadata(object, value as JsonObject);
  if (typeof metadata !== 'string') return { ...(value as unknown as ApiObject), metadata };
  const where = isOne ? '' : ` in object at index ${index}`;
  throw conversionFailure(`${name} returned invalid metadata${where}: ${metadata}`);
}

/** @throws StatusError 500 for anything but an object */
function kindError(object: ApiObject, value: JsonValue, apiVersion: string): string | undefined {
  if (!isJsonObject(value)) throw conversionFailure(noObjectText(value));
  if (typeof value.kind !== 'string' || value.kind === '')
    throw conversionFailure(`Object 'Kind' is missing in '${textOfJson(value)}'`);
  if (value.apiVersion !== apiVersion)
    return `invalid groupVersion (expected ${apiVersion}, received ${textOf(value.apiVersion)})`;
  if (value.kind !== object.kind) return `invalid kind (expected ${object.kind}, received ${value.kind})`;
  return undefined;
}

/** A null has no text that could be read. */
const noObjectText = (value: JsonValue): string =>
  value === null ? 'unexpected end of JSON input' : jsonTypeError(value, 'map[string]interface {}').message;

function identityError(object: ApiObject, value: JsonObject): string | undefined {
  const metadata = isJsonObject(value.metadata ?? null) ? (value.metadata as JsonObject) : {};
  for (const [field, title] of IDENTITY) {
    const [before, after] = [object.metadata[field] ?? '', textOf(metadata[field])];
    if (before !== after) return `must have the same ${title}: ${before} != ${after}`;
  }
  return undefined;
}

const IDENTITY = [
  ['name', 'name'],
  ['namespace', 'namespace'],
  ['uid', 'UID'],
] as const;

/** Maximum length of an object in an error message. */
const MAXIMUM_MESSAGE_LENGTH = 4096;

const textOfJson = (value: JsonValue): string =>
  (JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part)) ?? '').slice(
    0,
    MAXIMUM_MESSAGE_LENGTH,
  );

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

/** The original metadata with converted labels and annotations; or the error of those. */
function restoredMetadata(object: ApiObject, { metadata }: JsonObject): ObjectMeta | string {
  if (metadata === undefined) return 'missing metadata in converted object';
  if (!isJsonObject(metadata)) return `invalid metadata of type ${goTypeName(metadata)} in converted object`;
  const { labels: _, annotations: __, ...rest } = object.metadata;
  const restored: Record<string, unknown> = rest;
  for (const field of ['labels', 'annotations'] as const) {
    const converted = metadata[field];
    if (converted === undefined || converted === null) continue;
    const wrong =
      stringMapError(converted, field) ?? textsError(object.metadata[field], converted as JsonObject, field);
    if (wrong !== undefined) return wrong;
    restored[field] = converted;
  }
  return restored as ObjectMeta;
}

function stringMapError(value: JsonValue, field: string): string | undefined {
  if (!isJsonObject(value))
    return `invalid metadata.${field} of type ${goTypeName(value)} in converted object`;
  for (const [key, text] of Object.entries(value)) {
    if (typeof text !== 'string')
      return `metadata.${field}[${key}] must be a string, but is ${goTypeName(text as JsonValue)} in converted object`;
  }
  return undefined;
}

/** Unchanged values are not validated. */
function textsError(
  before: Readonly<Record<string, string>> = {},
  after: JsonObject,
  field: 'labels' | 'annotations',
): string | undefined {
  const texts = after as Readonly<Record<string, string>>;
  const keys = Object.keys(texts);
  if (keys.length === Object.keys(before).length && keys.every((key) => before[key] === texts[key]))
    return undefined;
  const errors: readonly FieldError[] =
    field === 'labels'
      ? validateLabels(texts, 'metadata.labels')
      : validateAnnotations(texts, 'metadata.annotation');
  if (errors.length === 0) return undefined;
  return joinedTexts(errors.map(fieldErrorText));
}
