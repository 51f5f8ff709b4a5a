import { type ServerRequest, type ServerResponse, toHex } from '@ashlar/core';

/** An encoded document with the ETag of its bytes. */
export interface TaggedDocument {
  readonly bytes: Uint8Array;
  /** Quoted upper-case hexadecimal SHA-512 (semantics/discovery#aggregated-discovery, #openapi). */
  readonly tag: string;
}

/** A tagged document with the time at which it was made. */
export interface DatedDocument extends TaggedDocument {
  /** In milliseconds since 1970. */
  readonly modified: number;
}

/** Tags a document. */
export async function tagDocument(bytes: Uint8Array): Promise<TaggedDocument> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-512', bytes as Uint8Array<ArrayBuffer>));
  return { bytes, tag: `"${toHex(digest).toUpperCase()}"` };
}

/**
 * Caches documents of a source whose generation grows with each change. A document is created on first use, and again after its
 * source has changed.
 */
export class DocumentCache<T> {
  readonly #generation: () => number;
  readonly #documents: Map<string, Promise<T>> = new Map();
  #of = -1;

  constructor(generation: () => number) {
    this.#generation = generation;
  }

  get(key: string, make: () => Promise<T>): Promise<T> {
    if (this.#of !== this.#generation()) {
      this.#documents.clear();
      this.#of = this.#generation();
    }
    const cached = this.#documents.get(key);
    if (cached) return cached;
    const document = make();
    this.#documents.set(key, document);
    // failures are not cached
    document.catch(() => this.#documents.get(key) === document && this.#documents.delete(key));
    return document;
  }
}

/** Returns the response with a document, or 304 if the client has the same tag. */
export function documentResponse(
  request: ServerRequest,
  { bytes, tag }: TaggedDocument,
  headers: Readonly<Record<string, string>>,
): ServerResponse {
  const requestedTag = request.headers.get('if-none-match');
  if (requestedTag === tag) {
    const { 'content-type': _, ...rest } = headers;
    return { status: 304, headers: { etag: tag, ...rest } };
  }
  return { status: 200, headers: { etag: tag, ...headers }, body: bytes };
}
