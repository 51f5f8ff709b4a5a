import {
  ANNOTATIONS_LIMIT_BYTES,
  type ApiObject,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Steps,
  utf8Length,
  type Vocabulary,
  valueAt,
} from '@ashlar/core';
import { FieldSet } from '../fieldpath/field-set.ts';
import { differenceSteps } from '../fieldpath/field-set-steps.ts';
import type { VersionedObject } from '../merge/kind-versions.ts';
import { compareTypedSteps } from '../typed/compare-typed.ts';
import { fieldSetOfSteps } from '../typed/typed-field-set.ts';
import { mapOf, members } from '../typed/typed-value.ts';
import { validateTypedSteps } from '../typed/validate-typed.ts';
import { jsonText } from '../values/value-text.ts';

/** The annotation in which the command-line client stores its last configuration (semantics/apply#migration). */
export function lastAppliedAnnotation(vocabulary: Vocabulary): string {
  return `${vocabulary.clientName}.${vocabulary.labelDomain}/last-applied-configuration`;
}

/**
 * Fields that the annotation says the client applied and that still have that value: it may take ownership of
 * them.
 */
export function* fieldsAppliedByClient(live: VersionedObject, annotation: string): Steps<FieldSet> {
  const applied = parseApplied(valueAt(live.object, ['metadata', 'annotations', annotation]));
  if (applied?.apiVersion !== live.apiVersion) return FieldSet.EMPTY;
  const { type } = live;
  const isFitting =
    (yield* validateTypedSteps(applied, type)).length === 0 &&
    (yield* validateTypedSteps(live.object, type)).length === 0;
  if (!isFitting) return FieldSet.EMPTY;
  const { modified, added, removed } = yield* compareTypedSteps(applied, live.object, type);
  let fields = yield* fieldSetOfSteps(applied, type);
  for (const changed of [modified, added, removed]) fields = yield* differenceSteps(fields, changed);
  return fields;
}

function parseApplied(text: JsonValue | undefined): JsonObject | undefined {
  if (typeof text !== 'string' || text === '') return undefined;
  try {
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) && typeof value.kind === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Updates the annotation of an object that has it to the current configuration; removes it if the object
 * would get too large.
 */
export function withLastApplied(object: ApiObject, config: JsonObject, annotation: string): ApiObject {
  const { annotations } = object.metadata;
  if (!annotations?.[annotation]) return object;
  const value = `${jsonText(withoutAnnotation(config, annotation))}\n`;
  const updated = { ...annotations, [annotation]: value };
  const size = Object.entries(updated).reduce(
    (sum, [key, text]) => sum + utf8Length(key) + utf8Length(text),
    0,
  );
  if (size > ANNOTATIONS_LIMIT_BYTES) delete updated[annotation];
  return { ...object, metadata: { ...object.metadata, annotations: updated } };
}

function withoutAnnotation(config: JsonObject, annotation: string): JsonObject {
  const { metadata } = config;
  const annotations = isJsonObject(metadata) ? metadata.annotations : undefined;
  if (!isJsonObject(metadata) || !isJsonObject(annotations)) return config;
  const remaining = mapOf(members(annotations).filter(([name]) => name !== annotation));
  return { ...config, metadata: { ...metadata, annotations: remaining } };
}
