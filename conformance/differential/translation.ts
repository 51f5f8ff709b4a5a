import { Transform } from 'node:stream';
import type { RawRequest } from './request-head.ts';
import type { Words } from './words.ts';

/** Bytes are read as characters of Latin-1, so that those that are no text arrive as they were sent. */
const BYTES = 'latin1';

/** A request of Kubernetes in the words of the other vocabulary. */
export function translatedRequest({ method, target, headers, body }: RawRequest, words: Words): RawRequest {
  const translatedBody = Buffer.from(words.toOrch(body.toString(BYTES)), BYTES);
  const translated = headers.map((text, index) =>
    index % 2 === 1 && headers[index - 1]?.toLowerCase() === 'content-length'
      ? String(translatedBody.length)
      : words.toOrch(text),
  );
  return { method, target: translatedTarget(target, words), headers: translated, body: translatedBody };
}

/** Parts of a query keep their encoding unless they contain a word. */
function translatedTarget(target: string, words: Words): string {
  return target.replace(/[^/?&=]+/g, (part) => {
    const decoded = decodedPart(part);
    const translated = words.toOrch(translatedToken(decoded, words));
    return translated === decoded ? part : encodeURIComponent(translated);
  });
}

/** A token that continues a list is a document in base64; questions also have tokens that no server gave. */
function translatedToken(text: string, words: Words): string {
  const document = /^eyJ[\w-]+$/.test(text) ? Buffer.from(text, 'base64url').toString(BYTES) : '';
  const translated = words.toOrch(document);
  return translated === document ? text : Buffer.from(translated, BYTES).toString('base64url');
}

function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return part;
  }
}

/** Headers of a response in the words of Kubernetes. */
export function translatedHeaders(headers: readonly string[], words: Words): readonly string[] {
  return headers.map((text) => words.toKubernetes(text).replace(/^X-Orch-/i, 'X-Kubernetes-'));
}

/** Translates a body line by line, so that the events of a watch pass as they come. */
export function translateLines(words: Words): Transform {
  let rest = '';
  const translated = (text: string): Buffer => Buffer.from(words.toKubernetes(text), BYTES);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const lines = (rest + chunk.toString(BYTES)).split(/(?<=\n)/);
      rest = lines.at(-1)?.endsWith('\n') === false ? (lines.pop() as string) : '';
      done(null, translated(lines.join('')));
    },
    flush(done) {
      done(null, translated(rest));
    },
  });
}
