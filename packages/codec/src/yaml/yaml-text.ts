import { DecodeError } from '../serializers/decode-error.ts';
import { decodeUtf8Strictly } from '../serializers/utf8.ts';
import { yamlReaderFault } from './yaml-reader.ts';

/**
 * The text of a YAML document: UTF-8, or UTF-16 after a byte order mark (YAML 1.1 section 5.2).
 * @throws DecodeError `yaml: control characters are not allowed` and the like
 */
export function readYamlText(bytes: Uint8Array): string {
  const encoding = utf16Of(bytes);
  if (encoding) return readUtf16(bytes.subarray(2), encoding);
  const text = decodeUtf8Strictly(bytes);
  const problem = yamlReaderFault(bytes, text);
  if (problem !== undefined || text === undefined) throw new DecodeError(`yaml: ${problem}`);
  return text;
}

type Utf16 = 'utf-16le' | 'utf-16be';

function utf16Of([first, second]: Uint8Array): Utf16 | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

function readUtf16(bytes: Uint8Array, encoding: Utf16): string {
  if (bytes.length % 2 !== 0) throw new DecodeError('yaml: incomplete UTF-16 character');
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
  if (text.includes('\ufffd') && !isWellFormed(bytes, encoding))
    throw new DecodeError('yaml: unexpected low surrogate area');
  const problem = yamlReaderFault(bytes, text);
  if (problem !== undefined) throw new DecodeError(`yaml: ${problem}`);
  return text;
}

function isWellFormed(bytes: Uint8Array, encoding: Utf16): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
