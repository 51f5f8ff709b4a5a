import { DecodeError, decodeYaml, encodeUtf8 } from '@ashlar/codec';
import { type ApiObject, isJsonObject, type JsonObject, type JsonValue } from '@ashlar/core';
import { documentTexts } from './manifests/document-text.ts';

/** A document of a manifest file. */
export interface ManifestDocument {
  /** `FILE`, or `FILE (document 2)` where there are several. */
  readonly place: string;
  readonly file: string;
  /** Its number among the documents of the file, from 1. */
  readonly number: number;
  /** The line of the file on which its text begins, from 1. */
  readonly line: number;
  readonly text: string;
}

/** Returns the documents of a YAML or JSON file that are not empty. */
export function manifestDocuments(file: string, text: string): readonly ManifestDocument[] {
  const texts = documentTexts(text);
  return texts.map(({ text: part, line }, index) => ({
    place: texts.length === 1 ? file : `${file} (document ${index + 1})`,
    ...{ file, number: index + 1, line, text: part },
  }));
}

/**
 * Parses a document.
 * @throws DecodeError
 */
export const documentValue = ({ text }: Pick<ManifestDocument, 'text'>): JsonValue =>
  decodeYaml(encodeUtf8(text), { maximumValues: Number.POSITIVE_INFINITY }).value;

/**
 * Returns the value as an object of some kind.
 * @throws DecodeError if it has no apiVersion or no kind
 */
export function asApiObject(value: JsonValue): ApiObject {
  if (!isJsonObject(value)) throw new DecodeError('the document is not an object');
  for (const field of ['apiVersion', 'kind']) {
    if (typeof value[field] !== 'string' || value[field] === '')
      throw new DecodeError(`the document has no ${field}`);
  }
  const { apiVersion, kind, metadata } = value as JsonObject & { apiVersion: string; kind: string };
  return { ...value, apiVersion, kind, metadata: isJsonObject(metadata) ? metadata : {} };
}
