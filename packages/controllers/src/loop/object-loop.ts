import {
  createInformer,
  createWorkQueue,
  keyOf,
  parseKey,
  type ResourceClient,
  type SelectionOptions,
  type WorkResult,
} from '@ashlar/client';
import { type Ambient, type ApiObject, printErrors } from '@ashlar/core';
import type { RunningLoop } from './controller.ts';
import { unlessOvertaken } from './unless-overtaken.ts';

export interface ObjectLoopOptions<T extends ApiObject> {
  readonly resource: ResourceClient<T>;
  readonly selection?: Omit<SelectionOptions, 'signal'>;
  readonly ambient: Pick<Ambient, 'clock'>;
  /** Called with errors; the object is retried. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** How many objects are reconciled at the same time; one by default. */
  readonly workers?: number;
  /** Reconciles an object; returns when to do so again if it does not change before. */
  work(object: T, signal: AbortSignal): Promise<WorkResult | undefined>;
  /** Called with an object that was deleted, also while it is reconciled. */
  deleted?(object: T): void;
}

/** Reconciles each existing object, and again after each change. */
export function startObjectLoop<T extends ApiObject>(options: ObjectLoopOptions<T>): RunningLoop {
  const {
    resource,
    selection = {},
    ambient,
    onError = printErrors('controller'),
    workers = 1,
    work,
  } = options;
  const queue = createWorkQueue<string>({ ambient });
  const informer = createInformer(resource, { ...selection, onError });
  const consider = (object: T): void => queue.add(keyOf(object));
  informer.addHandler({ added: consider, updated: consider, deleted: (object) => options.deleted?.(object) });
  const ended = queue.run(
    async (key, signal) => {
      const { namespace, name } = parseKey(key);
      const object = informer.get(namespace, name);
      return object && unlessOvertaken(() => work(object, signal));
    },
    { workers, onError },
  );
  return {
    async close() {
      queue.close();
      await Promise.all([informer.close(), ended]);
    },
  };
}
