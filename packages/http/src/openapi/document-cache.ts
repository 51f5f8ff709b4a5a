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
 * source has changed: one at a time, so that a source that changes while it is read has no more than one of each in the making.
 */
export class DocumentCache<T> {
  readonly #generation: () => number;
  readonly #documents: Map<string, CachedDocument<T>> = new Map();
  #of = -1;

  constructor(generation: () => number) {
    this.#generation = generation;
  }

  /** Returns a document whose creation began at the current generation, or begins later. */
  get(key: string, make: () => Promise<T>): Promise<T> {
    const generation = this.#generation();
    if (this.#of !== generation) this.#drop(generation);
    const cached = this.#documents.get(key);
    if (cached?.of === generation) return cached.document;
    if (!cached) return this.#create(key, make, generation);
    cached.next ??= cached.settled.then(() => this.get(key, make));
    return cached.next;
  }

  /** Keeps what is in the making: others wait for its end. */
  #drop(generation: number): void {
    this.#of = generation;
    for (const [key, { isMade }] of this.#documents) if (isMade) this.#documents.delete(key);
  }

  #create(key: string, make: () => Promise<T>, of: number): Promise<T> {
    const document = make();
    const finish = (isKept: boolean): void => {
      created.isMade = true;
      // failures are not cached
      if (!isKept || of !== this.#generation()) this.#documents.delete(key);
    };
    const settled = document.then(
      () => finish(true),
      () => finish(false),
    );
    const created: CachedDocument<T> = { of, document, settled, isMade: false, next: undefined };
    this.#documents.set(key, created);
    return document;
  }
}

interface CachedDocument<T> {
  /** The generation at which its creation began. */
  readonly of: number;
  readonly document: Promise<T>;
  /** Resolves when it is made, or failed. */
  readonly settled: Promise<void>;
  isMade: boolean;
  /** The one that is created next, for all who have asked since the source changed. */
  next: Promise<T> | undefined;
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
