import { type Client, type ClientRequest, isExpired, resourcePath } from '@ashlar/client';
import {
  type ApiList,
  type ApiObject,
  type GroupVersionResource,
  StatusError,
  type Vocabulary,
} from '@ashlar/core';

/** What happened to the objects of a resource. */
export interface RewrittenObjects {
  /** How many were written again, or were stored as they should be. */
  readonly current: number;
  /** How many others changed or deleted meanwhile: a write stores the newest form anyway. */
  readonly overtaken: number;
  /** What failed, by the name of the object. */
  readonly failures: readonly { readonly name: string; readonly error: Error }[];
}

/** Selects the objects, and says who writes them. */
export interface RewriteOptions {
  readonly client: Client;
  readonly vocabulary: Vocabulary;
  /** The resource of the objects, in a version that is served. */
  readonly resource: GroupVersionResource;
  /** The token of the first page to write; of an expired one, the objects that follow as they are now. */
  readonly from?: string | undefined;
  readonly fieldManager?: string;
  readonly signal?: AbortSignal;
  /**
   * Called after every page.
   * @param result all that happened so far
   * @param next the token of the page that follows, empty after the last one
   * @returns whether to go on
   */
  pageWritten?(result: RewrittenObjects, next: string): Promise<boolean>;
}

/** How many requests run at the same time. */
const CONCURRENCY = 8;
const PAGE = 500;

/**
 * Writes every object of a resource again without changing it: a server then stores it in the storage version of its type, and encrypts it
 * with the key that writes now. What is stored so already is not written. Objects that are made meanwhile are stored in the newest form.
 * @throws StatusError if the objects cannot be listed
 */
export async function rewriteObjects(options: RewriteOptions): Promise<RewrittenObjects> {
  const rewriting = new Rewriting(options);
  for (let token = options.from ?? ''; ; ) {
    const { items, metadata } = await rewriting.page(token);
    token = metadata.continue ?? '';
    const waiting = items.values();
    const work = async (): Promise<void> => {
      for (const object of waiting) await rewriting.write(object);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    const goesOn = (await options.pageWritten?.(rewriting.result, token)) ?? true;
    if (token === '' || !goesOn) return rewriting.result;
  }
}

/** Lists and writes the objects; of responses, only names and versions are asked for. */
class Rewriting {
  readonly #options: RewriteOptions;
  readonly #failures: { name: string; error: Error }[] = [];
  #current = 0;
  #overtaken = 0;

  constructor(options: RewriteOptions) {
    this.#options = options;
  }

  get result(): RewrittenObjects {
    return { current: this.#current, overtaken: this.#overtaken, failures: this.#failures };
  }

  async page(token: string): Promise<ApiList<ApiObject>> {
    const query = { limit: PAGE, ...(token && { continue: token }) };
    const path = resourcePath(this.#options.resource, '');
    try {
      const request = { method: 'GET', path, query };
      return (await this.#ask('PartialObjectMetadataList', request)) as ApiList<ApiObject>;
    } catch (error) {
      if (token === '' || !isExpired(error)) throw error;
      const later = error.metadata?.continue ?? '';
      return this.page(later === token ? '' : later);
    }
  }

  async write({ metadata }: ApiObject): Promise<void> {
    const { name = '', namespace = '', uid, resourceVersion } = metadata;
    const { resource, fieldManager } = this.#options;
    try {
      await this.#ask('PartialObjectMetadata', {
        method: 'PATCH',
        path: resourcePath(resource, namespace, name),
        contentType: 'application/merge-patch+json',
        ...(fieldManager !== undefined && { query: { fieldManager } }),
        body: { metadata: { uid, resourceVersion } },
      });
      this.#current++;
    } catch (error) {
      if (this.#options.signal?.aborted) throw error;
      if (StatusError.is(error) && (error.code === 404 || error.code === 409)) this.#overtaken++;
      else this.#failures.push({ name: [namespace, name].filter(Boolean).join('/'), error: error as Error });
    }
  }

  #ask(kind: string, request: ClientRequest): Promise<unknown> {
    const { client, vocabulary, signal } = this.#options;
    const accept = `application/json;as=${kind};g=meta.${vocabulary.groupDomain};v=v1,application/json`;
    return client.request({ ...request, accept, signal });
  }
}
