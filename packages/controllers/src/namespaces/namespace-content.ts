import type { Client, ResourceReference } from '@ashlar/client';
import { errorMessage, StatusError, undefinedIfNotFound } from '@ashlar/core';

/** Remaining objects of one resource type in a namespace. */
export interface RemainingContent {
  readonly reference: ResourceReference;
  readonly count: number;
  /** Number of objects by finalizer. */
  readonly finalizers: ReadonlyMap<string, number>;
}

/**
 * Deletes everything in a namespace; returns what remains, and what could not be deleted. A type that is not
 * found has been removed since discovery, and its objects with it.
 */
export async function deleteContent(
  client: Client,
  namespace: string,
  references: readonly ResourceReference[],
  signal?: AbortSignal,
): Promise<{ readonly remaining: readonly RemainingContent[]; readonly failures: readonly string[] }> {
  const remaining: RemainingContent[] = [];
  const failures: string[] = [];
  for (const reference of references) {
    try {
      const left = await deleteResource(client, namespace, reference, signal);
      if (left) remaining.push(left);
    } catch (error) {
      if (signal?.aborted) throw error;
      if (StatusError.is(error, 'NotFound')) continue;
      failures.push(errorMessage(error));
    }
  }
  return { remaining, failures };
}

async function deleteResource(
  client: Client,
  namespace: string,
  reference: ResourceReference,
  signal: AbortSignal | undefined,
): Promise<RemainingContent | undefined> {
  const resource = client.resource(reference).namespace(namespace);
  const call = signal ? { signal } : {};
  try {
    await resource.deleteCollection(call);
  } catch (error) {
    if (!StatusError.is(error, 'MethodNotAllowed')) throw error;
    for await (const { metadata } of resource.all(call)) {
      await resource.delete(metadata.name ?? '', call).catch(undefinedIfNotFound);
    }
  }
  const finalizers = new Map<string, number>();
  let count = 0;
  for await (const { metadata } of resource.all(call)) {
    count++;
    for (const name of metadata.finalizers ?? []) finalizers.set(name, (finalizers.get(name) ?? 0) + 1);
  }
  return count === 0 ? undefined : { reference, count, finalizers };
}
