import { DecodeError, decodeYaml, encodeUtf8 } from '@ashlar/codec';
import { type ApiObject, isJsonObject, type JsonObject, type JsonValue } from '@ashlar/core';

/** A document of a manifest file. */
export interface ManifestDocument {
  /** `FILE`, or `FILE (document 2)` where there are several. */
  readonly place: string;
  readonly text: string;
}

/** A line that separates documents, as for kubectl. */
const SEPARATOR = /^---(?:[ \t].*)?$/m;

/** Returns the documents of a YAML or JSON file that are not empty. */
export function manifestDocuments(file: string, text: string): readonly ManifestDocument[] {
  const texts = text.split(SEPARATOR).filter(hasContent);
  return texts.map((part, index) => ({
    place: texts.length === 1 ? file : `${file} (document ${index + 1})`,
    text: part,
  }));
}

/** Whether a text has a line with more than blanks and a comment. */
function hasContent(text: string): boolean {
  return text.split('\n').some((line) => {
    const content = line.trimStart();
    return content !== '' && !content.startsWith('#');
  });
}

/**
 * Parses a document.
 * @throws DecodeError
 */
export const documentValue = ({ text }: ManifestDocument): JsonValue =>
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
