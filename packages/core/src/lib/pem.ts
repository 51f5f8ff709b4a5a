import { decodeBase64 } from './base64.ts';

/** One block of a PEM text (RFC 7468). */
export interface PemBlock {
  /** `CERTIFICATE`, `EC PRIVATE KEY`, … */
  readonly type: string;
  readonly bytes: Uint8Array;
}

const BLOCK = /^-----BEGIN ([^\r\n]*)-----[ \t]*\r?\n([\s\S]*?)^-----END \1-----[ \t]*\r?$/gm;
/** Lines of `name: value` and the empty one behind them. */
const HEADERS = /^(?:[^\n:]+:[^\n]*\n)+\s*\n/;

/** The blocks of a PEM text; what stands between them and blocks that hold no base64 are passed over. */
export function readPem(text: string): readonly PemBlock[] {
  return Array.from(text.matchAll(BLOCK)).flatMap(([, type = '', body = '']) => {
    const bytes = bytesOf(body.replace(HEADERS, '').replace(/\s/g, ''));
    return bytes ? [{ type, bytes }] : [];
  });
}

function bytesOf(base64: string): Uint8Array | undefined {
  try {
    return decodeBase64(base64);
  } catch {
    return undefined;
  }
}
