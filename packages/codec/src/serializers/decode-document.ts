import { DecodeError } from './decode-error.ts';
import { type DecodedBody, jsonSerializer, yamlSerializer } from './serializer.ts';
import { decodeUtf8 } from './utf8.ts';

/**
 * Decodes a configuration file strictly: JSON where it starts with a brace, else YAML.
 * @throws DecodeError if it is malformed; what strict decoding rejects is in the result
 */
export function decodeDocument(document: string | Uint8Array): DecodedBody {
  const [text, bytes] =
    typeof document === 'string'
      ? [document, new TextEncoder().encode(document)]
      : [decodeUtf8(document), document];
  return (text.trimStart().startsWith('{') ? jsonSerializer : yamlSerializer).decode(bytes, { strict: true });
}

/** @throws DecodeError that lists what strict decoding rejects, if there is any */
export function rejectStrictErrors(errors: readonly string[]): void {
  if (errors.length > 0) throw new DecodeError(`strict decoding error: ${errors.join(', ')}`);
}
