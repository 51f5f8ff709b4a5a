import {
  type ApiObject,
  apiVersionOf,
  type FieldError,
  type JsonObject,
  type JsonValue,
  type Schema,
  type Vocabulary,
  validateObjectMeta,
} from '@ashlar/core';
import type { Release } from '@ashlar/lifecycle';
import { type ResourceDefinition, storageVersion } from '@ashlar/registry';
import { compileTyped } from '@ashlar/schema';
import { asOfRelease, withoutDisabledFields } from './defaults-of-releases.ts';
import { newObjectErrors, type WithdrawnVersion } from './withdrawn-version.ts';

/** One version of a kind, withdrawn or current, with the conversion to and from the stored version. */
export interface VersionForm {
  readonly apiVersion: string;
  readonly kind: string;
  readonly current: ResourceDefinition;
  readonly schema: Schema;
  /**
   * Decodes a manifest of this version and sets its defaults. Unknown fields are dropped.
   * @param release without the defaults that later releases added
   * @throws TypedDecodeError for a field of another type
   */
  decode(manifest: JsonObject, release?: Release): ApiObject;
  toCurrent(object: ApiObject): ApiObject;
  /** As `toCurrent`, for an object that is created anew in another version. */
  toCreatable(object: ApiObject): ApiObject;
  fromCurrent(object: ApiObject): ApiObject;
  /** Returns the errors of a new, complete object. */
  createErrors(object: ApiObject, release?: Release): readonly FieldError[];
}

/** Versions by `<apiVersion> <kind>`: withdrawn ones, and those that replace them. */
export type VersionForms = ReadonlyMap<string, VersionForm>;

/** Returns withdrawn versions with the stored versions that replace them. */
export function versionForms(withdrawn: readonly WithdrawnVersion[], vocabulary: Vocabulary): VersionForms {
  const forms = new Map<string, VersionForm>();
  const add = (form: VersionForm): void => void forms.set(`${form.apiVersion} ${form.kind}`, form);
  for (const version of withdrawn) {
    const { current } = version;
    const stored = storageVersion(current);
    add(
      formOf(
        {
          group: current.group,
          version: stored.name,
          current,
          schema: stored.schema,
          complete: (object) => stored.complete?.(object) ?? object,
          toCurrent: (object) => object,
          fromCurrent: (object) => object,
          createErrors: (object) => newObjectErrors(current, object),
        },
        vocabulary,
      ),
    );
    add(formOf(version, vocabulary));
  }
  return forms;
}

function formOf(version: WithdrawnVersion, vocabulary: Vocabulary): VersionForm {
  const { current, toCurrent, fromCurrent } = version;
  const { kind } = current.names;
  const apiVersion = apiVersionOf(version);
  return {
    ...{ apiVersion, kind, current, schema: version.schema, toCurrent, fromCurrent },
    toCreatable: (object) => version.toCreatable?.(toCurrent(object)) ?? toCurrent(object),
    decode(manifest, release) {
      const { kind: _, apiVersion: __, ...fields } = decodeAs(version.schema, manifest);
      const complete = version.complete({ kind, apiVersion, ...fields } as unknown as ApiObject);
      if (!release) return complete;
      const value = complete as unknown as JsonObject;
      return asOfRelease(value, manifest, kind, release) as unknown as ApiObject;
    },
    createErrors: (object, release) => [
      ...metadataErrors(object, current, vocabulary),
      ...version.createErrors(release ? withoutDisabledFields(object, kind, release) : object, release),
    ],
  };
}

/** What is not stored needs no name. */
function metadataErrors(
  object: ApiObject,
  { scope, strategy, storage }: ResourceDefinition,
  vocabulary: Vocabulary,
): readonly FieldError[] {
  if (storage) return [];
  return validateObjectMeta(object.metadata, {
    namespaced: scope === 'Namespaced',
    validateName: (name, prefix) => strategy.validateName(name, prefix, object),
    vocabulary,
    qualifiedFinalizers: strategy.qualifiedFinalizers ?? false,
  });
}

const decodeAs = (schema: Schema, manifest: JsonObject): JsonObject =>
  compileTyped(schema).decode(manifest as JsonValue, () => {});
