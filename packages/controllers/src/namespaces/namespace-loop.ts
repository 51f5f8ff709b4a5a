import { createInformer, createWorkQueue, type Informer, type ResourceClient } from '@ashlar/client';
import { type ApiObject, printErrors, StatusError } from '@ashlar/core';
import type { ControllerOptions, RunningLoop } from '../loop/controller.ts';
import { unlessOvertaken } from '../loop/unless-overtaken.ts';

interface NamespaceObject extends ApiObject {
  readonly status?: { readonly phase?: string };
}

/** An object that every namespace has. */
export interface NamespaceLoopOptions<T extends ApiObject> extends ControllerOptions {
  /** Its resource, in all namespaces. */
  readonly resource: ResourceClient<T>;
  readonly name: string;
  /**
   * Reconciles it in one namespace.
   * @param existing the current object of that name
   */
  ensure(resource: ResourceClient<T>, existing: T | undefined): Promise<unknown>;
}

/** Reconciles an object in every active namespace, and again when the namespace or the object changes. */
export function startNamespaceLoop<T extends ApiObject>(options: NamespaceLoopOptions<T>): RunningLoop {
  const { client, ambient, resource, name, onError = printErrors('controller of namespaces') } = options;
  const queue = createWorkQueue<string>({ ambient });
  const namespaces = createInformer(
    client.resource<NamespaceObject>({ group: '', version: 'v1', resource: 'namespaces', kind: 'Namespace' }),
    { onError },
  );
  const objects = createInformer(resource, { fieldSelector: `metadata.name=${name}`, onError });
  const ofNamespace = ({ metadata }: ApiObject): void => queue.add(metadata.name ?? '');
  const ofObject = ({ metadata }: ApiObject): void => queue.add(metadata.namespace ?? '');
  namespaces.addHandler({ added: ofNamespace, updated: ofNamespace });
  objects.addHandler({ updated: ofObject, deleted: ofObject });
  const ended = queue.run((namespace) => work(namespace, namespaces, objects, options), {
    workers: 1,
    onError,
  });
  return {
    async close() {
      queue.close();
      await Promise.all([namespaces.close(), objects.close(), ended]);
    },
  };
}

async function work<T extends ApiObject>(
  namespace: string,
  namespaces: Informer<NamespaceObject>,
  objects: Informer<T>,
  { resource, name, ensure }: NamespaceLoopOptions<T>,
): Promise<undefined> {
  await Promise.all([namespaces.synced, objects.synced]);
  if (namespaces.get('', namespace)?.status?.phase !== 'Active') return undefined;
  const existing = objects.get(namespace, name);
  await unlessTerminating(() => unlessOvertaken(() => ensure(resource.namespace(namespace), existing)));
  return undefined;
}

/** A namespace that is being deleted needs no objects. */
async function unlessTerminating(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    const causes = StatusError.is(error) ? error.details?.causes : undefined;
    if (!causes?.some(({ reason }) => reason === 'NamespaceTerminating')) throw error;
  }
}
