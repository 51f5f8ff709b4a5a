import { configMapKeyErrors, type FieldError, FieldErrors, type Steps, utf8Length } from '@ashlar/core';

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

/** Bytes by key with null values as empty ones, as in request bodies. */
export function withoutNulls(data: Readonly<Record<string, string | null>> | undefined): DataMap | undefined {
  if (!data || !Object.values(data).includes(null)) return data as DataMap | undefined;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, value ?? '']));
}
