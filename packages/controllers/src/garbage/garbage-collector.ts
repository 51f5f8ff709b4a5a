import { createWorkQueue, type WorkQueue, type WorkResult } from '@ashlar/client';
import {
  FOREGROUND_FINALIZER,
  ORPHAN_FINALIZER,
  type OwnerReference,
  pause,
  printErrors,
  StatusError,
} from '@ashlar/core';
import { type Controller, type ControllerOptions, controllerOfLoop } from '../loop/controller.ts';
import { classifyOwners, type UnknownOwner } from './classify-owners.ts';
import { CollectedObject, type WriteOutcome } from './collected-object.ts';
import { recordInvalidOwner } from './invalid-owner-event.ts';
import { type Cause, OwnerGraph } from './owner-graph.ts';
import { type Ownership, type OwnershipSource, waitsFor } from './ownership.ts';

export interface GarbageCollectorOptions extends ControllerOptions {
  readonly source: OwnershipSource;
}

const WORKERS = 8;
/** How often an object with concurrent changes is read again, before it is queued. */
const ATTEMPTS = 5;
const CONFLICT_MILLISECONDS = 100;
/** How long dependents stay owned after the deletion of their owner: its response and its admission reviews come before those of the collector. */
const RELEASE_MILLISECONDS = 100;
/** How long the collector works before other requests are handled. */
const SLICE_MILLISECONDS = 10;
/** A shorter time without work is none: the next object waited for nothing else. */
const IDLE_MILLISECONDS = 1;

/**
 * Deletes objects whose owners do not exist, and processes deletions with propagation `Foreground` and
 * `Orphan` (semantics/lifecycle#garbage-collection).
 * @example
 * const controller = createGarbageCollector({ client, ambient, source });
 * controller.start();
 */
export function createGarbageCollector(options: GarbageCollectorOptions): Controller {
  return controllerOfLoop(() => new GarbageCollection(options));
}

/** An object in the queue. */
interface Task {
  readonly object: Ownership;
  readonly write: CollectedObject;
  readonly cause: Cause;
  readonly signal: AbortSignal;
}

class GarbageCollection {
  readonly #options: GarbageCollectorOptions;
  readonly #queue: WorkQueue;
  readonly #graph: OwnerGraph;
  /** Why the objects in the queue are processed. */
  readonly #causes: Map<string, Cause> = new Map();
  /** Objects whose own type, or whose owner's type, is not served. */
  readonly #untyped: Set<string> = new Set();
  readonly #following: Disposable;
  readonly #ended: Promise<void>;
  /** False while the graph is being filled: missing objects may still appear. */
  #isComplete = false;
  /** Objects in progress. */
  #working = 0;
  /** When the collector began to work, or last paused. */
  #since = 0;
  /** When it last had none. */
  #idleSince = 0;

  constructor(options: GarbageCollectorOptions) {
    const { ambient, source, onError = printErrors('garbage collector') } = options;
    this.#options = options;
    this.#queue = createWorkQueue<string>({ ambient });
    this.#graph = new OwnerGraph((uid, cause) => this.#consider(uid, cause));
    this.#following = source.follow({
      replaced: (objects) => this.#replace(objects),
      changed: (object) => this.#graph.set(object),
      removed: (uid, namespace) => this.#graph.remove(uid, namespace),
      typesChanged: () => this.#considerUntyped(),
    });
    this.#ended = this.#queue.run((uid, signal) => this.#work(uid, signal), { workers: WORKERS, onError });
  }

  async close(): Promise<void> {
    this.#following[Symbol.dispose]();
    this.#queue.close();
    await this.#ended;
  }

  #consider(uid: string, cause: Cause): void {
    if (!this.#isComplete) return;
    this.#remember(uid, cause);
    const object = this.#graph.get(uid);
    const isReleasing = object !== undefined && waitsFor(object) === 'release';
    this.#queue.addAfter(uid, isReleasing ? RELEASE_MILLISECONDS : 0);
  }

  #remember(uid: string, cause: Cause): void {
    if (this.#causes.get(uid) !== 'owner-changed') this.#causes.set(uid, cause);
  }

  #replace(objects: readonly Ownership[]): void {
    this.#isComplete = false;
    this.#graph.clear();
    for (const object of objects) this.#graph.set(object);
    this.#isComplete = true;
    for (const { uid } of objects) this.#consider(uid, 'owner-changed');
  }

  #considerUntyped(): void {
    for (const uid of this.#untyped) this.#consider(uid, 'owner-changed');
    this.#untyped.clear();
  }

  async #work(uid: string, signal: AbortSignal): Promise<WorkResult | undefined> {
    const cause = this.#causes.get(uid);
    this.#causes.delete(uid);
    const object = this.#graph.get(uid);
    if (!object || !cause) return undefined;
    let outcome: WriteOutcome = 'conflict';
    this.#begin();
    try {
      await this.#letOthersWork();
      outcome = await this.#whileChanging(object, (current, write) => {
        return this.#handle({ object: current, write, cause, signal });
      });
    } finally {
      if (--this.#working === 0) this.#idleSince = this.#options.ambient.clock.monotonic();
      if (outcome === 'conflict') this.#remember(uid, cause);
    }
    return outcome === 'conflict' ? { againAfterMilliseconds: CONFLICT_MILLISECONDS } : undefined;
  }

  /** After an idle time it starts at once. Objects that follow one another without any are one piece of work. */
  #begin(): void {
    const now = this.#options.ambient.clock.monotonic();
    if (this.#working++ === 0 && now - this.#idleSince >= IDLE_MILLISECONDS) this.#since = now;
  }

  /** Pauses when the collector has been busy for a while: work that waits for nothing would otherwise be one long turn. */
  readonly #letOthersWork = async (): Promise<void> => {
    const { ambient } = this.#options;
    if (ambient.clock.monotonic() - this.#since < SLICE_MILLISECONDS) return;
    await pause(ambient);
    this.#since = ambient.clock.monotonic();
  };

  /** Processes an object, and its current state again if it has changed meanwhile. */
  async #whileChanging(
    object: Ownership,
    handle: (current: Ownership, write: CollectedObject) => Promise<WriteOutcome>,
  ): Promise<WriteOutcome> {
    const { client, source } = this.#options;
    const type = source.typeInAnyVersion(object.apiVersion, object.kind);
    if (!type) {
      this.#untyped.add(object.uid);
      return 'done';
    }
    let current: Ownership | undefined = object;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const outcome = await handle(current, new CollectedObject(client, type, current));
      if (outcome === 'done') return outcome;
      current = await source.find(type, object.namespace, object.name);
      if (current?.uid !== object.uid) return 'done';
    }
    return 'conflict';
  }

  #handle(task: Task): Promise<WriteOutcome> {
    const { object } = task;
    if (!object.isBeingDeleted) return this.#collect(task);
    const waits = waitsFor(object);
    if (waits === 'release') return this.#releaseDependents(task);
    return waits === 'deletion' ? this.#finishForeground(task) : Promise.resolve('done');
  }

  /** Deletes an object without owners, or removes references to owners that do not exist. */
  async #collect({ object, write, cause }: Task): Promise<WriteOutcome> {
    const owners = await classifyOwners(object, {
      graph: this.#graph,
      source: this.#options.source,
      letOthersWork: this.#letOthersWork,
    });
    const { solid, absent, waiting, unknown } = owners;
    if (unknown) {
      await this.#keep(object, unknown, cause);
      return 'done';
    }
    // an owner that is already waiting does not block on new dependents
    if (object.owners.length === 0 || (cause === 'new-owner' && absent.length === 0)) return 'done';
    if (cause === 'new-owner')
      for (const reference of absent) {
        await this.#letOthersWork();
        await this.#warnOfNamespace(object, reference);
      }
    if (solid.length > 0) return write.removeOwners(new Set([...absent, ...waiting].map(({ uid }) => uid)));
    return waiting.length > 0 ? this.#deleteBelowWaiting(object, write) : write.delete();
  }

  /** Deletes a dependent of waiting owners: in the foreground if it has dependents itself. */
  async #deleteBelowWaiting({ uid }: Ownership, write: CollectedObject): Promise<WriteOutcome> {
    const dependents = this.#graph.dependentsOf(uid);
    if (dependents.length === 0) return write.delete();
    // a circle, in which each would wait for the next for ever
    const isCircle = dependents.some((dependent) => waitsFor(dependent) === 'deletion');
    if (isCircle && (await write.unblockOwners()) === 'conflict') return 'conflict';
    return write.delete('Foreground');
  }

  /** Ignores an object whose owner's state is unknown. */
  async #keep(object: Ownership, { because, reference }: UnknownOwner, cause: Cause): Promise<void> {
    if (because === 'no-type') this.#untyped.add(object.uid);
    else if (cause === 'new-owner') await this.#warnOfNamespace(object, reference);
  }

  async #warnOfNamespace(object: Ownership, reference: OwnerReference): Promise<void> {
    const { client, ambient, source, onError } = this.#options;
    const type = source.typeOf(reference.apiVersion, reference.kind);
    if (!type?.namespaced) return;
    const namespace = await source.namespaceOf(type, reference.name, reference.uid);
    if (namespace === undefined || namespace === object.namespace) return;
    await recordInvalidOwner(client, ambient, object, reference).catch((error) => {
      // the namespace may be gone, and not every server has events
      if (!StatusError.is(error, 'NotFound')) onError?.(error);
    });
  }

  async #finishForeground({ object: { uid }, write }: Task): Promise<WriteOutcome> {
    return this.#graph.isBlocked(uid) ? 'done' : write.removeFinalizer(FOREGROUND_FINALIZER);
  }

  async #releaseDependents({ object: { uid }, write, signal }: Task): Promise<WriteOutcome> {
    const owner = new Set([uid]);
    const dependents = this.#graph.dependentsOf(uid);
    for (let i = 0; i < dependents.length; i += WORKERS) {
      await this.#letOthersWork();
      signal.throwIfAborted();
      const released = dependents
        .slice(i, i + WORKERS)
        .map((dependent) => this.#whileChanging(dependent, (_, each) => each.removeOwners(owner)));
      if ((await Promise.all(released)).includes('conflict')) return 'conflict';
    }
    return write.removeFinalizer(ORPHAN_FINALIZER);
  }
}
