import {
  type ApiObject,
  fieldErrorText,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  type Schema,
} from '@ashlar/core';
import type { VersionForm } from './version-form.ts';

/** A change of a manifest. */
export interface ManifestEdit {
  /** Names of fields, and places in lists. */
  readonly path: readonly (string | number)[];
  /** The new value; the field is removed if it is absent. */
  readonly value?: JsonValue;
}

/** What makes a manifest of one version one of another version that means the same. */
export interface ManifestMigration {
  readonly manifest: JsonObject;
  /** In the order in which they are to be made. */
  readonly edits: readonly ManifestEdit[];
  /** Why a server would not create the migrated object, though it would have created the original. */
  readonly problems: readonly string[];
}

/**
 * Migrates a manifest: fields that moved are moved, and defaults that changed are written out, so that a server makes of the result
 * what it made of the original. Fields that neither version knows stay.
 * @returns undefined if there is no manifest of the other version that means the same
 * @throws TypedDecodeError if the manifest cannot be read in its version
 */
export function migrateManifest(
  manifest: JsonObject,
  from: VersionForm,
  to: VersionForm,
): ManifestMigration | undefined {
  const original = from.decode(manifest);
  // what the other version sets by default where this one sets nothing means the same
  const migratedValue = read(to, jsonOf(to.fromCurrent(from.toCreatable(original))));
  const edits: ManifestEdit[] = [{ path: ['apiVersion'], value: to.apiVersion }];
  let migrated = edited(manifest, edits[0] as ManifestEdit);
  const edit = (change: ManifestEdit): void => {
    edits.push(change);
    migrated = edited(migrated, change);
  };
  const unknown = unknownPaths(to.schema, migrated).filter((path) => isKnown(from.schema, path));
  for (const path of differences(read(to, without(migrated, unknown)), migratedValue))
    edit({ path, ...valueAt(migratedValue, path) });
  for (const path of unknownPaths(to.schema, migrated)) if (isKnown(from.schema, path)) edit({ path });
  const decoded = to.decode(migrated);
  if (differences(jsonOf(to.fromCurrent(to.toCurrent(decoded))), migratedValue).length > 0) return undefined;
  const before = new Set(from.createErrors(original).map(fieldErrorText));
  const problems = to.createErrors(decoded).map(fieldErrorText);
  return { manifest: migrated, edits, problems: problems.filter((problem) => !before.has(problem)) };
}

type Path = readonly (string | number)[];

const jsonOf = (object: ApiObject): JsonObject => JSON.parse(JSON.stringify(object)) as JsonObject;

const read = (form: VersionForm, manifest: JsonObject): JsonObject =>
  jsonOf(form.fromCurrent(form.toCurrent(form.decode(manifest))));

const without = (manifest: JsonObject, paths: readonly Path[]): JsonObject =>
  paths.reduce((changed, path) => edited(changed, { path }), manifest);

/** What servers set themselves is not compared. */
const isServers = ([first, second]: Path): boolean =>
  first === 'status' || (first === 'metadata' && second === 'creationTimestamp');

function differences(a: JsonValue | undefined, b: JsonValue | undefined, path: Path = []): readonly Path[] {
  if (isServers(path)) return [];
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length)
    return a.flatMap((item, index) => differences(item, b[index], [...path, index]));
  if (isObject(a) && isObject(b))
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((name) =>
      differences(a[name], b[name], [...path, name]),
    );
  return jsonEqual(a ?? null, b ?? null) ? [] : [path];
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  value !== undefined && isJsonObject(value);

function valueAt(object: JsonObject, path: Path): { value?: JsonValue } {
  let value: JsonValue | undefined = object;
  for (const step of path) value = (value as Record<string, JsonValue> | undefined)?.[step];
  return value === undefined ? {} : { value };
}

/** Returns a copy of a value with a field set or removed; missing objects on the way are created. */
function edited(value: JsonObject, { path, value: replacement }: ManifestEdit): JsonObject {
  return changed(value, path, replacement) as JsonObject;
}

function changed(
  value: JsonValue | undefined,
  [step, ...rest]: Path,
  replacement: JsonValue | undefined,
): JsonValue {
  if (step === undefined) return replacement ?? null;
  if (typeof step === 'number') {
    const list = Array.isArray(value) ? [...value] : [];
    list[step] = changed(list[step], rest, replacement);
    return list;
  }
  const object = isObject(value) ? value : {};
  if (rest.length > 0 || replacement !== undefined)
    return { ...object, [step]: changed(object[step], rest, replacement) };
  const { [step]: _, ...others } = object;
  return others;
}

function unknownPaths(schema: Schema, value: JsonValue | undefined, path: Path = []): readonly Path[] {
  const { properties, items, additionalProperties } = schema;
  if (Array.isArray(value))
    return items ? value.flatMap((item, index) => unknownPaths(items, item, [...path, index])) : [];
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const at = [...path, name];
    if (properties) {
      const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return field ? unknownPaths(field, part, at) : [at];
    }
    return typeof additionalProperties === 'object' ? unknownPaths(additionalProperties, part, at) : [];
  });
}

function isKnown(schema: Schema, path: Path): boolean {
  let at: Schema | undefined = schema;
  for (const step of path) {
    if (typeof step === 'number') at = at?.items;
    else if (at?.properties) at = Object.hasOwn(at.properties, step) ? at.properties[step] : undefined;
    else return at !== undefined;
  }
  return at !== undefined;
}
