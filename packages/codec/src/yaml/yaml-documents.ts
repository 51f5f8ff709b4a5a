import type { JsonValue } from '@ashlar/core';
import { DecodeError } from '../serializers/decode-error.ts';
import { encodeUtf8 } from '../serializers/utf8.ts';
import { decodeYaml, type YamlDecodeOptions } from './yaml-decode.ts';

/** A line that separates documents, with or without a comment. */
const SEPARATOR = /^---(?:[ \t]+#[^\n]*|[ \t]*)$/;

/**
 * Reads every document of a YAML text, as files of manifests hold them: separated by lines of three hyphens. Documents without content
 * are left out.
 *
 * @throws DecodeError as `decodeYaml`, with the number of the document if there are several
 * @example decodeYamlDocuments('a: 1\n---\na: 2\n'); // [{ a: 1 }, { a: 2 }]
 */
export function decodeYamlDocuments(text: string, options: YamlDecodeOptions = {}): readonly JsonValue[] {
  const texts = splitDocuments(text);
  return texts.flatMap((document, index) => {
    const value = decoded(document, options, texts.length > 1 ? index + 1 : undefined);
    return value === null ? [] : [value];
  });
}

function decoded(text: string, options: YamlDecodeOptions, number: number | undefined): JsonValue {
  try {
    return decodeYaml(encodeUtf8(text), options).value;
  } catch (error) {
    if (number === undefined || !DecodeError.is(error)) throw error;
    throw new DecodeError(`document ${number}: ${error.message}`);
  }
}

function splitDocuments(text: string): readonly string[] {
  const documents: string[][] = [[]];
  for (const line of text.split(/\r?\n/)) {
    if (SEPARATOR.test(line)) documents.push([]);
    else documents.at(-1)?.push(line);
  }
  return documents.map((lines) => `${lines.join('\n')}\n`);
}
