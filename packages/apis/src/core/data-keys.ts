import {
  configMapKeyErrors,
  type FieldError,
  FieldErrors,
  runAtOnce,
  type Steps,
  setMember,
  utf8Length,
} from '@ashlar/core';

/** Maximum total size of the values of a ConfigMap or a Secret in bytes. */
export const MAXIMUM_DATA_BYTES = 1_048_576;

/** Values by key; strings in `data` of ConfigMaps, otherwise base64. */
export type DataMap = Readonly<Record<string, string>>;

/** Errors of a key of `data` or `binaryData` (semantics/lifecycle#events-and-leases). */
export function dataKeyErrors(field: string, key: string): readonly FieldError[] {
  return configMapKeyErrors(key).map((why) => FieldErrors.invalid(`${field}[${key}]`, key, why));
}

/** Whether strings and base64 together decode to more than {@link MAXIMUM_DATA_BYTES}. */
export function* isTooMuchSteps(data: DataMap, binaryData: DataMap): Steps<boolean> {
  const left = MAXIMUM_DATA_BYTES - (yield* base64BytesSteps(binaryData));
  // A UTF-16 unit has at most three bytes, and most data are far below the limit.
  if ((yield* sumSteps(data, (text) => text.length * 3)) <= left) return false;
  return (yield* sumSteps(data, utf8Length)) > left;
}

/** Returns the total decoded size of base64 texts. */
export function base64BytesSteps(data: DataMap): Steps<number> {
  return sumSteps(data, base64Length);
}

/** Texts between two pauses. */
const TEXTS_PER_STEP = 1024;

function* sumSteps(data: DataMap, length: (text: string) => number): Steps<number> {
  let bytes = 0;
  let index = 0;
  for (const key in data) {
    bytes += length(data[key] as string);
    if (++index % TEXTS_PER_STEP === 0) yield;
  }
  return bytes;
}

function base64Length(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}

/** The error of an immutable field. */
export function frozen(field: string): FieldError {
  return FieldErrors.forbidden(field, 'field is immutable when `immutable` is set');
}

/** Texts or bytes by key with null values as empty ones, as in request bodies; the same object without any. */
export function withoutNulls(data: Readonly<Record<string, string | null>> | undefined): DataMap | undefined {
  return data && runAtOnce(withoutNullsSteps(data));
}

/** As {@link withoutNulls}, with pauses. */
export function* withoutNullsSteps(data: Readonly<Record<string, string | null>>): Steps<DataMap> {
  if (!hasNull(data)) return data as DataMap;
  const filled: Record<string, string> = {};
  let index = 0;
  for (const key in data) {
    setMember(filled, key, data[key] ?? '');
    if (++index % TEXTS_PER_STEP === 0) yield;
  }
  return filled;
}

function hasNull(data: Readonly<Record<string, string | null>>): boolean {
  for (const key in data) if (data[key] === null) return true;
  return false;
}
