/**
 * Why bytes are not YAML text; undefined if they are (YAML 1.1 section 5.1).
 * @param text the bytes as text, undefined if they are not UTF-8
 */
export function yamlReaderFault(bytes: Uint8Array, text: string | undefined): string | undefined {
  if (text === undefined) return utf8Fault(bytes);
  return FORBIDDEN.test(text) ? 'control characters are not allowed' : undefined;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are searched for
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/;

function utf8Fault(bytes: Uint8Array): string {
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) {
      at++;
      continue;
    }
    const width = (lead & 0xe0) === 0xc0 ? 2 : (lead & 0xf0) === 0xe0 ? 3 : (lead & 0xf8) === 0xf0 ? 4 : 0;
    if (width === 0) return 'invalid leading UTF-8 octet';
    const problem = sequenceFault(bytes, at, width);
    if (problem !== undefined) return problem;
    at += width;
  }
  return 'invalid Unicode character';
}

const SHORTEST: readonly number[] = [0, 0, 0x80, 0x800, 0x10000];

function sequenceFault(bytes: Uint8Array, at: number, width: number): string | undefined {
  if (at + width > bytes.length) return 'incomplete UTF-8 octet sequence';
  let code = (bytes[at] ?? 0) & (0x7f >> width);
  for (let i = at + 1; i < at + width; i++) {
    const byte = bytes[i] ?? 0;
    if ((byte & 0xc0) !== 0x80) return 'invalid trailing UTF-8 octet';
    code = code * 64 + (byte & 0x3f);
  }
  if (code < (SHORTEST[width] ?? 0)) return 'invalid length of a UTF-8 sequence';
  return (code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff ? 'invalid Unicode character' : undefined;
}
