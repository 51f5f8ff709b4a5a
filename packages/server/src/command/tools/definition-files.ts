import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DecodeError } from '@ashlar/codec';
import {
  groupName,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Vocabulary,
  vocabularies,
} from '@ashlar/core';
import {
  type CustomResourceDefinition,
  definitionsFromOpenApi,
  fromCustomResourceDefinition,
} from '@ashlar/extensions';
import type { ResourceDefinition } from '@ashlar/registry';
import { readFile } from '../read-text-file.ts';
import { UsageError } from '../usage-error.ts';
import { documentValue, type ManifestDocument, manifestDocuments } from './manifest-documents.ts';

/** A resource type that a file describes. */
export interface DescribedType extends ResourceDefinition {
  /** Whether its objects are converted by a webhook, or by a server that published the type. */
  readonly convertedElsewhere: boolean;
}

/**
 * Reads the resource types that files describe, or the files below a folder: custom resource definitions and OpenAPI v3 documents, in YAML or
 * JSON. Their vocabulary is detected; with `only`, definitions of others are ignored. Other documents of a folder are ignored.
 * @throws UsageError for a missing path, a file without definitions, and an invalid document
 */
export function readDefinitions(paths: readonly string[], only?: Vocabulary): readonly DescribedType[] {
  const definitions = paths.flatMap((path) =>
    isFolder(path) ? folderDefinitions(path, only) : fileDefinitions(path, only),
  );
  const published = new Map<Vocabulary, JsonValue[]>();
  for (const { document, vocabulary } of definitions.flatMap(({ described }) => described))
    published.set(vocabulary, [...(published.get(vocabulary) ?? []), document]);
  // several documents may describe one type, each a version of it
  const described = [...published].flatMap(([vocabulary, documents]) =>
    definitionsFromOpenApi(documents, { vocabulary }).map((each) => ({ ...each, convertedElsewhere: true })),
  );
  return [...definitions.flatMap(({ defined }) => defined), ...described];
}

/** The definitions and OpenAPI documents of a file. */
interface FileDefinitions {
  readonly defined: readonly DescribedType[];
  readonly described: readonly { readonly document: JsonObject; readonly vocabulary: Vocabulary }[];
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`${path} cannot be read (${code ?? error})`);
  }
}

const MANIFEST_FILE = /\.(?:ya?ml|json)$/;

function folderDefinitions(folder: string, only: Vocabulary | undefined): readonly FileDefinitions[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  const files = entries
    .filter((entry) => entry.isFile() && MANIFEST_FILE.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const found = files.map((file) => definitionsIn(file, only));
  if (!found.some(isSomething)) throw new UsageError(`${folder} contains no definition${ofOnly(only)}`);
  return found;
}

function fileDefinitions(file: string, only: Vocabulary | undefined): readonly FileDefinitions[] {
  const found = definitionsIn(file, only);
  if (!isSomething(found)) throw new UsageError(`${file} contains no definition${ofOnly(only)}`);
  return [found];
}

const ofOnly = (only: Vocabulary | undefined): string => (only ? ` of the vocabulary ${only.name}` : '');

const isSomething = ({ defined, described }: FileDefinitions): boolean =>
  defined.length > 0 || described.length > 0;

function definitionsIn(file: string, only: Vocabulary | undefined): FileDefinitions {
  const objects = manifestDocuments(file, readFile(file)).flatMap((document) =>
    itemsOf(readDocument(document)).map((object) => ({ place: document.place, object })),
  );
  return {
    defined: objects.flatMap(({ place, object }) =>
      definition(place, object, only).map((each) => ({
        ...each,
        convertedElsewhere: isConvertedByWebhook(object as unknown as CustomResourceDefinition),
      })),
    ),
    described: objects
      .flatMap(({ object }) => openApiDocument(object))
      .filter(({ vocabulary }) => only === undefined || vocabulary === only),
  };
}

const isConvertedByWebhook = ({ spec }: CustomResourceDefinition): boolean =>
  spec.conversion?.strategy === 'Webhook';

function readDocument(document: ManifestDocument): JsonValue {
  try {
    return documentValue(document);
  } catch (error) {
    if (!DecodeError.is(error)) throw error;
    throw new UsageError(`${document.place}: ${error.message}`);
  }
}

/** Returns the items of a list, or the object itself. */
function itemsOf(value: JsonValue): readonly JsonObject[] {
  if (!isJsonObject(value)) return [];
  const { kind, items } = value;
  const isList = typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items);
  return isList ? items.filter(isJsonObject) : [value];
}

/**
 * Returns the resource type of a custom resource definition; none for other objects.
 * @throws UsageError for a definition that is invalid
 */
export function definition(
  place: string,
  object: JsonObject,
  only?: Vocabulary,
): readonly ResourceDefinition[] {
  if (object.kind !== 'CustomResourceDefinition') return [];
  const vocabulary = Object.values(vocabularies).find(
    (each) => object.apiVersion === `${groupName(each, 'apiextensions.')}/v1`,
  );
  if (!vocabulary)
    throw new UsageError(
      `${place}: unknown apiVersion ${JSON.stringify(object.apiVersion ?? '')} of a definition`,
    );
  if (only && vocabulary !== only) return [];
  if (!isDefinition(object)) throw new UsageError(`${place}: the definition is incomplete`);
  try {
    const parsed = fromCustomResourceDefinition(withNames(object), vocabulary);
    // schemas are parsed lazily; their errors are to be reported here
    parsed.versions.map(({ schema }) => schema);
    return [parsed];
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(`${place}: ${error.message}`);
  }
}

/** Whether the object has the required fields of a definition. */
function isDefinition(object: JsonObject): object is JsonObject & CustomResourceDefinition {
  const { metadata, spec } = object;
  if (!isJsonObject(metadata as JsonValue) || !isJsonObject(spec as JsonValue)) return false;
  const { group, names, versions } = spec as JsonObject;
  if (typeof group !== 'string' || !isJsonObject(names as JsonValue) || !Array.isArray(versions))
    return false;
  const { plural, kind } = names as JsonObject;
  const isVersion = (version: JsonValue): boolean =>
    isJsonObject(version) && typeof version.name === 'string';
  return typeof plural === 'string' && typeof kind === 'string' && versions.every(isVersion);
}

/** Accepts the requested names, since a definition from a file has no accepted ones yet. */
function withNames(definition: CustomResourceDefinition): CustomResourceDefinition {
  const { spec, status } = definition;
  return { ...definition, status: { ...status, acceptedNames: spec.names } };
}

function openApiDocument(object: JsonObject): FileDefinitions['described'] {
  const { openapi, paths } = object;
  if (typeof openapi !== 'string' || !openapi.startsWith('3.') || paths === undefined) return [];
  const text = JSON.stringify(paths);
  const vocabulary = Object.values(vocabularies).find(({ extensionPrefix }) =>
    text.includes(`"${extensionPrefix}group-version-kind"`),
  );
  return vocabulary ? [{ document: object, vocabulary }] : [];
}
