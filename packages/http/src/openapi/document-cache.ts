import { type ServerRequest, type ServerResponse, toHex } from '@ashlar/core';

/** A document as it is sent, with the tag of its bytes. */
export interface TaggedDocument {
  readonly bytes: Uint8Array;
  /** Quoted upper-case hexadecimal SHA-512 (semantics/discovery#aggregated-discovery, #openapi). */
  readonly tag: string;
}

/** Tags a document. */
export async function tagDocument(bytes: Uint8Array): Promise<TaggedDocument> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-512', bytes as Uint8Array<ArrayBuffer>));
  return { bytes, tag: `"${toHex(digest).toUpperCase()}"` };
}

/**
 * Keeps documents that are made of something which grows a generation with each change. A document is made when it is
 * first asked for, and again when its source has changed.
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
    const kept = this.#documents.get(key);
    if (kept) return kept;
    const document = make();
    this.#documents.set(key, document);
    // a failure is nothing to keep
    document.catch(() => this.#documents.get(key) === document && this.#documents.delete(key));
    return document;
  }
}

/** Answers a tagged document, or 304 where the caller has it already; only the very tag counts. */
export function documentResponse(
  request: ServerRequest,
  { bytes, tag }: TaggedDocument,
  headers: Readonly<Record<string, string>>,
): ServerResponse {
  const known = request.headers.get('if-none-match');
  if (known === tag) {
    const { 'content-type': _, ...rest } = headers;
    return { status: 304, headers: { etag: tag, ...rest } };
  }
  return { status: 200, headers: { etag: tag, ...headers }, body: bytes };
}
