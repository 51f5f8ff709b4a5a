import {
  type ApiObject,
  type FieldError,
  FieldErrors,
  isJsonObject,
  type JsonValue,
  jsonEqual,
  ownMember,
} from '@ashlar/core';
import type { ZodIssue, ZodKind, ZodVerdict } from '@ashlar/schema';

/** A part of an object with a zod type. */
export type ZodPart = 'spec' | 'status';

/** The zod types of one resource type. */
export type ZodKinds = Readonly<Partial<Record<ZodPart, ZodKind>>>;

const PARTS: readonly ZodPart[] = ['spec', 'status'];

/**
 * Returns an object after parsing a part with zod: trimmed strings, computed defaults. Invalid parts stay
 * unchanged, for validation.
 */
export function withZodValue(kinds: ZodKinds, object: ApiObject, part: ZodPart): ApiObject {
  const kind = kinds[part];
  const value = object[part] as JsonValue | undefined;
  if (!kind?.changesValues || value === undefined) return object;
  const { value: changed, issues } = verdictOf(kind, value);
  return issues || jsonEqual(changed as JsonValue, value)
    ? object
    : ({ ...object, [part]: changed } as ApiObject);
}

/**
 * The errors of an object: zod decides about parts with a zod type, and the schema's errors are preferred if
 * it rejects a value, too. As in schema validation, unchanged errors are ignored.
 * @param found errors by schema
 */
export function zodErrors(
  kinds: ZodKinds,
  found: readonly FieldError[],
  object: ApiObject,
  stored?: ApiObject,
): readonly FieldError[] {
  let errors = found;
  for (const part of PARTS) {
    const kind = kinds[part];
    if (kind && object[part] !== undefined) errors = partErrors(kind, part, errors, object, stored);
  }
  return errors;
}

function partErrors(
  kind: ZodKind,
  part: ZodPart,
  found: readonly FieldError[],
  object: ApiObject,
  stored: ApiObject | undefined,
): readonly FieldError[] {
  const isOwn = (error: FieldError): boolean => isOfPart(error, part);
  if (found.some((error) => isOwn(error) && isPatternError(error))) return found;
  const isRefused = found.some(isOwn);
  if (!isRefused && !kind.hasFurtherChecks) return found;
  const value = object[part] as JsonValue;
  const { issues } = verdictOf(kind, value);
  if (!issues) return isRefused ? found.filter((error) => !isOwn(error)) : found;
  if (isRefused) return found;
  const before = stored?.[part] as JsonValue | undefined;
  const newIssues = before === undefined ? issues : issues.filter(unlessStored(kind, value, before));
  return [...found, ...newIssues.map((issue) => fieldError(part, value, issue))];
}

/** Patterns were matched in linear time; matching again in zod might take very long. */
const isPatternError = ({ message }: FieldError): boolean => message.includes("should match '");

/** Errors of combinations have no field, and name it in the text. */
function isOfPart({ field, message }: FieldError, part: string): boolean {
  const place = field === '<nil>' ? (/"([^"]*)" must/.exec(message)?.[1] ?? '') : field;
  return place === part || place.startsWith(`${part}.`) || place.startsWith(`${part}[`);
}

/** Whether an issue is new: the stored value did not have it, or has changed there. */
function unlessStored(kind: ZodKind, value: JsonValue, before: JsonValue): (issue: ZodIssue) => boolean {
  const old = verdictOf(kind, before).issues ?? [];
  const storedIssues = new Set(old.map(issueText));
  return (issue) => {
    const [now, was] = [valueAt(value, issue.path), valueAt(before, issue.path)];
    const isUnchanged = now === was || (now !== undefined && was !== undefined && jsonEqual(now, was));
    return !(isUnchanged && storedIssues.has(issueText(issue)));
  };
}

const issueText = ({ path, message }: ZodIssue): string => JSON.stringify([path, message]);

function fieldError(part: ZodPart, value: JsonValue, { path, message }: ZodIssue): FieldError {
  const at = valueAt(value, path);
  const field = part + path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return at === undefined ? FieldErrors.required(field, message) : FieldErrors.invalid(field, at, message);
}

function valueAt(value: JsonValue, path: ZodIssue['path']): JsonValue | undefined {
  let at: JsonValue | undefined = value;
  for (const step of path) {
    if (Array.isArray(at)) at = (at as readonly JsonValue[])[Number(step)];
    else at = at !== undefined && isJsonObject(at) ? ownMember(at, String(step)) : undefined;
  }
  return at;
}

/** Integers beyond 2^53 are bigint, which zod rejects as numbers: they are parsed again as numbers. */
function verdictOf(kind: ZodKind, value: JsonValue): ZodVerdict {
  const verdict = kind.validate(value);
  if (!verdict.issues) return verdict;
  const converted = withoutBigints(value);
  return converted === value ? verdict : kind.validate(converted);
}

function withoutBigints(value: JsonValue): JsonValue {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) {
    const items = (value as readonly JsonValue[]).map(withoutBigints);
    return items.some((item, index) => item !== (value as readonly JsonValue[])[index]) ? items : value;
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(
    ([name, member]) => [name, withoutBigints(member as JsonValue)] as const,
  );
  return entries.some(([name, member]) => member !== value[name]) ? Object.fromEntries(entries) : value;
}
