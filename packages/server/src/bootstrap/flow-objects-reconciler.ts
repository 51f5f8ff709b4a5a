import {
  type DefaultFlowObjects,
  defaultFlowSchemas,
  defaultPriorityLevels,
  isAbandoned,
  reconcileFlowObject,
} from '@ashlar/apis';
import { type ApiObject, groupName, type Timer } from '@ashlar/core';
import type { ApiCatalog, ServedResource } from '@ashlar/http';
import type { ApiServerSettings } from '../assembly/server-settings.ts';
import { systemContext } from '../assembly/system-context.ts';
import { removeObject, storedObjects, unlessOvertaken, writeObject } from './reconciled-objects.ts';

const INTERVAL_MILLISECONDS = 60_000;
const MANAGER = 'api-priority-and-fairness-config-producer-v1';

/**
 * Creates and restores the flow schemas and priority levels that every server has: at start, and every minute from `start` until it is disposed. Does
 * nothing for types that are not served (semantics/lifecycle#flow-control-objects).
 */
export class FlowObjectsReconciler implements Disposable {
  readonly #catalog: ApiCatalog;
  readonly #settings: Pick<ApiServerSettings, 'ambient' | 'onError'>;
  #timer: Timer | undefined;
  #isClosed = false;

  constructor(catalog: ApiCatalog, settings: Pick<ApiServerSettings, 'ambient' | 'onError'>) {
    this.#catalog = catalog;
    this.#settings = settings;
  }

  get isNeeded(): boolean {
    return this.#served('flowschemas') !== undefined;
  }

  /** Creates missing objects, restores changed ones, and removes those that are no longer made. */
  async ensure(): Promise<void> {
    const { vocabulary } = this.#settings.ambient;
    await this.#ensure(this.#served('prioritylevelconfigurations'), defaultPriorityLevels(vocabulary));
    await this.#ensure(this.#served('flowschemas'), defaultFlowSchemas(vocabulary));
  }

  start(): void {
    if (this.#isClosed || !this.isNeeded) return;
    this.#timer = this.#settings.ambient.clock.setTimer(INTERVAL_MILLISECONDS, () => void this.#run());
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#timer?.clear();
  }

  async #run(): Promise<void> {
    try {
      await this.ensure();
    } catch (error) {
      if (!this.#isClosed) this.#settings.onError(error);
    }
    this.start();
  }

  #served(plural: string): ServedResource | undefined {
    return this.#catalog.find(
      groupName(this.#settings.ambient.vocabulary, 'flowcontrol.apiserver.'),
      'v1',
      plural,
    );
  }

  async #ensure(
    served: ServedResource | undefined,
    { mandatory, suggested }: DefaultFlowObjects<ApiObject>,
  ): Promise<void> {
    if (!served) return;
    const { vocabulary } = this.#settings.ambient;
    const context = { ...systemContext(served, ''), fieldManager: MANAGER };
    const stored = await storedObjects(served, context);
    for (const expected of [...suggested, ...mandatory]) {
      const current = stored.get(expected.metadata.name);
      stored.delete(expected.metadata.name);
      const isMandatory = mandatory.includes(expected);
      const reconciled = current
        ? reconcileFlowObject(current, expected, { isMandatory, vocabulary })
        : expected;
      if (reconciled)
        await unlessOvertaken(() => writeObject(served, context, reconciled, current === undefined));
    }
    for (const [name, object] of stored)
      if (name && isAbandoned(object, vocabulary)) await removeObject(served, context, name);
  }
}
