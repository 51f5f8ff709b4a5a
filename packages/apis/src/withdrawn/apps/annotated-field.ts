import { type ApiObject, isJsonObject, type JsonObject, type JsonValue, withMetadata } from '@ashlar/core';
import { withEntry } from '../../types/sorted-map.ts';

/** A number of the spec that newer versions keep in an annotation. */
interface AnnotatedField {
  readonly annotation: string;
  read(spec: JsonObject): JsonValue | undefined;
  write(spec: JsonObject, value: number): JsonObject;
  without(spec: JsonObject): JsonObject;
}

/** Moves the field into its annotation. */
export function toAnnotation(object: ApiObject, field: AnnotatedField): ApiObject {
  const spec = specOf(object);
  const value = field.read(spec);
  if (value === undefined) return object;
  const annotations = withEntry(object.metadata.annotations ?? {}, field.annotation, String(value));
  return withMetadata({ ...object, spec: field.without(spec) } as ApiObject, { annotations });
}

/** Moves the annotation into its field; one that is no number stays. */
export function fromAnnotation(object: ApiObject, field: AnnotatedField): ApiObject {
  const { [field.annotation]: text, ...rest } = object.metadata.annotations ?? {};
  if (text === undefined || !/^-?\d{1,18}$/.test(text)) return object;
  const annotations = Object.keys(rest).length > 0 ? rest : undefined;
  return withMetadata({ ...object, spec: field.write(specOf(object), Number(text)) } as ApiObject, {
    annotations,
  });
}

function specOf({ spec }: ApiObject): JsonObject {
  return spec !== undefined && isJsonObject(spec as JsonValue) ? (spec as JsonObject) : {};
}

/** Counts changes of a daemon set's template. */
export const templateGeneration: AnnotatedField = {
  annotation: 'deprecated.daemonset.template.generation',
  read: ({ templateGeneration }) => templateGeneration ?? undefined,
  write: (spec, value) => (value === 0 ? spec : { ...spec, templateGeneration: value }),
  without: ({ templateGeneration: _, ...spec }) => spec,
};

/** The revision to which a deployment is rolled back. */
export const rollbackTo: AnnotatedField = {
  annotation: 'deprecated.deployment.rollback.to',
  read: ({ rollbackTo }) =>
    isJsonObject(rollbackTo ?? null) ? ((rollbackTo as JsonObject).revision ?? 0) : undefined,
  write: (spec, revision) => ({ ...spec, rollbackTo: revision === 0 ? {} : { revision } }),
  without: ({ rollbackTo: _, ...spec }) => spec,
};
