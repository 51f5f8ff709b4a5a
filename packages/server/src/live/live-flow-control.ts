import { defaultFlowSchemas, defaultPriorityLevels } from '@ashlar/apis';
import {
  andThen,
  groupName,
  type JsonObject,
  jsonEqual,
  type MaybePromise,
  type Metrics,
} from '@ashlar/core';
import { FlowControl, type FlowSchema, type PriorityLevel } from '@ashlar/flow-control';
import type { ObjectStore } from '@ashlar/storage';
import type { ApiServerSettings } from '../assembly/server-settings.ts';
import type { ObjectFollower } from './follow-objects.ts';
import { LazyFollowing } from './lazy-following.ts';

/** Flow control by stored objects. */
export interface LiveFlowControl extends Disposable {
  readonly control: FlowControl;
  /** Starts following the objects. Settled once they are known; until then the objects that every server has are used. */
  synced(): MaybePromise<void>;
}

/** Creates the flow control of a server, which follows flow schemas and priority levels once `synced` is called. */
export function createLiveFlowControl(
  store: ObjectStore,
  { ambient, onError }: Pick<ApiServerSettings, 'ambient' | 'onError'>,
  { seats, metrics }: { readonly seats: number; readonly metrics: Metrics },
): LiveFlowControl {
  const { clock, vocabulary } = ambient;
  const levels = defaultPriorityLevels(vocabulary);
  const schemas = defaultFlowSchemas(vocabulary);
  const mandatory = { levels: levels.mandatory, schemas: schemas.mandatory };
  const control = new FlowControl({ clock, vocabulary, seats, mandatory, metrics });
  control.configure({ levels: levels.suggested, schemas: schemas.suggested });
  const group = groupName(vocabulary, 'flowcontrol.apiserver.');
  const changes = new PendingChanges(control);
  const followers = {
    [`/prioritylevelconfigurations.${group}/`]: changes.follower(changes.levels),
    [`/flowschemas.${group}/`]: changes.follower(changes.schemas),
  };
  const following = new LazyFollowing(store, followers, { clock, onError });
  return {
    control,
    synced: () => andThen(following.synced(), () => changes.begin()),
    [Symbol.dispose]() {
      following[Symbol.dispose]();
      control[Symbol.dispose]();
    },
  };
}

/** Configures flow control once for objects that change together. */
class PendingChanges {
  readonly levels = new Map<string, PriorityLevel>();
  readonly schemas = new Map<string, FlowSchema>();
  readonly #control: FlowControl;
  #isPending = false;
  #hasBegun = false;

  constructor(control: FlowControl) {
    this.#control = control;
  }

  /** Configures it by what is known; from then on it follows. */
  begin(): void {
    this.#hasBegun = true;
    this.#configureSoon();
  }

  follower<T extends FlowSchema | PriorityLevel>(objects: Map<string, T>): ObjectFollower {
    return {
      set: (object) => {
        const { name = '' } = object.metadata;
        const known = objects.get(name);
        objects.set(name, object as T);
        if (!known || !configuresAlike(known, object as T)) this.#configureSoon();
      },
      delete: ({ metadata }) => {
        objects.delete(metadata.name ?? '');
        this.#configureSoon();
      },
    };
  }

  #configureSoon(): void {
    if (this.#isPending || !this.#hasBegun) return;
    this.#isPending = true;
    queueMicrotask(() => {
      this.#isPending = false;
      this.#control.configure({ levels: [...this.levels.values()], schemas: [...this.schemas.values()] });
    });
  }
}

/** Whether two forms of an object configure the same: metadata and status change often. */
function configuresAlike(a: FlowSchema | PriorityLevel, b: FlowSchema | PriorityLevel): boolean {
  return (
    a.metadata.uid === b.metadata.uid &&
    jsonEqual(a.spec as JsonObject | undefined, b.spec as JsonObject | undefined)
  );
}
