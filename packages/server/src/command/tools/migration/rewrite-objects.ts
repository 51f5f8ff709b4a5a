import type { ResourceClient } from '@ashlar/client';
import { type ApiObject, StatusError } from '@ashlar/core';

/** What happened to the objects of a resource. */
export interface RewrittenObjects {
  /** How many were written again, or were stored as they should be. */
  readonly current: number;
  /** How many others changed or deleted meanwhile: a write stores the newest form anyway. */
  readonly overtaken: number;
  /** What failed, by the name of the object. */
  readonly failures: readonly { readonly name: string; readonly error: Error }[];
}

/** How many requests run at the same time. */
const CONCURRENCY = 8;
const PAGE = 500;

/**
 * Writes every object of a resource again without changing it: a server then stores it in the storage version of its type, and encrypts it
 * with the key that writes now. What is stored so already is not written. Objects that are made meanwhile are stored in the newest form.
 * @param lists lists the objects
 * @param objects writes them; what it returns is not read
 * @throws StatusError if the objects cannot be listed
 */
export async function rewriteObjects(
  lists: ResourceClient,
  objects: ResourceClient,
): Promise<RewrittenObjects> {
  let [current, overtaken] = [0, 0];
  const failures: { name: string; error: Error }[] = [];
  const rewrite = async ({ metadata }: ApiObject): Promise<void> => {
    const { name = '', namespace = '', uid, resourceVersion } = metadata;
    const own = namespace === '' ? objects : objects.namespace(namespace);
    try {
      await own.patch(name, { type: 'merge', patch: { metadata: { uid, resourceVersion } } });
      current++;
    } catch (error) {
      if (StatusError.is(error) && (error.code === 404 || error.code === 409)) overtaken++;
      else failures.push({ name: [namespace, name].filter(Boolean).join('/'), error: error as Error });
    }
  };
  for await (const { items } of lists.pages({ limit: PAGE })) {
    const waiting = items.values();
    const work = async (): Promise<void> => {
      for (const object of waiting) await rewrite(object);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
  }
  return { current, overtaken, failures };
}
