import { StatusError } from '@ashlar/core';
import { mediaTypeNames, type ServedMediaType, watchMediaTypeNames } from './media-types.ts';

/** A parsed Content-Type header. */
export interface ContentType {
  /** In lower case. */
  readonly mediaType: string;
  /** Names in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * The media type of a body (semantics/encodings#content-type): the first supported type if the header is
 * missing; parameters are ignored.
 * @param streaming whether the endpoint reads a stream, whose media types the error names
 * @throws StatusError 415 if the header is invalid or names an unsupported type
 */
export function negotiateContentType(
  header: string | undefined,
  served: readonly ServedMediaType[],
  streaming = false,
): string {
  const mediaType = header ? parseContentType(header)?.mediaType : served[0]?.mediaType;
  if (mediaType !== undefined && served.some((type) => type.mediaType === mediaType)) return mediaType;
  throw StatusError.unsupportedMediaType(streaming ? watchMediaTypeNames(served) : mediaTypeNames(served));
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const TYPE = new RegExp(`^${TOKEN}(?:/${TOKEN})?$`);
const PARAMETER = new RegExp(`\\s*;\\s*(${TOKEN})\\s*=\\s*(?:(${TOKEN})|"((?:[^"\\\\\\r\\n]|\\\\.)*)")`, 'y');

/**
 * Parses a Content-Type header (RFC 9110 section 8.3); undefined if it is invalid, also because of a repeated
 * parameter.
 */
export function parseContentType(header: string): ContentType | undefined {
  const semicolon = header.indexOf(';');
  const type = (semicolon < 0 ? header : header.slice(0, semicolon)).trim().toLowerCase();
  if (!TYPE.test(type)) return undefined;
  const parameters = semicolon < 0 ? new Map<string, string>() : parseParameters(header.slice(semicolon));
  return parameters && { mediaType: type, parameters };
}

function parseParameters(text: string): Map<string, string> | undefined {
  const parameters = new Map<string, string>();
  let at = 0;
  for (let match = parameterAt(text, at); match; match = parameterAt(text, at)) {
    const name = (match[1] as string).toLowerCase();
    if (parameters.has(name)) return undefined;
    parameters.set(name, match[2] ?? (match[3] ?? '').replace(/\\(.)/g, '$1'));
    at += match[0].length;
  }
  const rest = text.slice(at).trim();
  return rest === '' || rest === ';' ? parameters : undefined;
}

function parameterAt(text: string, at: number): RegExpExecArray | null {
  PARAMETER.lastIndex = at;
  return PARAMETER.exec(text);
}
