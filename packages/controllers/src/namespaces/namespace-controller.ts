import type { ResourceClient, WorkResult } from '@ashlar/client';
import { type ApiObject, printErrors, timestampText } from '@ashlar/core';
import {
  type Controller,
  type ControllerOptions,
  controllerOfLoop,
  type RunningLoop,
} from '../loop/controller.ts';
import { startObjectLoop } from '../loop/object-loop.ts';
import { unlessOvertaken } from '../loop/unless-overtaken.ts';
import {
  type DeletionFindings,
  deletionConditions,
  type NamespaceCondition,
  sameConditions,
} from './namespace-conditions.ts';
import { deleteContent } from './namespace-content.ts';
import { discoverNamespacedResources } from './namespaced-resources.ts';

/** How long to wait before checking remaining content again. */
const AGAIN_MILLISECONDS = 500;
const WORKERS = 4;

interface NamespaceObject extends ApiObject {
  readonly spec?: { readonly finalizers?: readonly string[] };
  readonly status?: { readonly phase?: string; readonly conditions?: readonly NamespaceCondition[] };
}

/**
 * Deletes the content of namespaces that are being deleted, reports in conditions what remains, and finalizes them (semantics/lifecycle#namespaces).
 * @example
 * const controller = createNamespaceController({ client, ambient });
 * controller.start();
 */
export function createNamespaceController(options: ControllerOptions): Controller {
  return controllerOfLoop(() => new NamespaceDeletion(options).start());
}

class NamespaceDeletion {
  readonly #options: ControllerOptions;
  readonly #namespaces: ResourceClient<NamespaceObject>;

  constructor(options: ControllerOptions) {
    this.#options = options;
    this.#namespaces = options.client.resource({
      group: '',
      version: 'v1',
      resource: 'namespaces',
      kind: 'Namespace',
    });
  }

  start(): RunningLoop {
    const { ambient, onError = printErrors('controller of namespaces') } = this.#options;
    return startObjectLoop({
      ...{ resource: this.#namespaces, ambient, onError, workers: WORKERS },
      work: (namespace, signal) => this.#work(namespace, signal),
    });
  }

  async #work(namespace: NamespaceObject, signal: AbortSignal): Promise<WorkResult | undefined> {
    const own = this.#options.ambient.vocabulary.name;
    // a new namespace of the same name may exist by now, whose content must not be deleted
    if (namespace.metadata.deletionTimestamp === undefined) return undefined;
    if (!namespace.spec?.finalizers?.includes(own)) return undefined;
    const { client } = this.#options;
    const { name = '' } = namespace.metadata;
    const findings = await deleteContent(
      client,
      name,
      await discoverNamespacedResources(client, signal),
      signal,
    );
    if (findings.remaining.length + findings.failures.length > 0) {
      await this.#write(name, (current) => this.#reportFindings(current, findings));
      return { againAfterMilliseconds: AGAIN_MILLISECONDS };
    }
    await this.#write(name, (current) => this.#finalize(current, own));
    return undefined;
  }

  /** Deleting the content takes time: the conditions are applied to the current namespace. */
  async #write(name: string, write: (current: NamespaceObject) => Promise<unknown>): Promise<void> {
    await unlessOvertaken(async () => write(await this.#namespaces.get(name)));
  }

  async #reportFindings(namespace: NamespaceObject, findings: DeletionFindings): Promise<void> {
    const before = namespace.status?.conditions ?? [];
    const conditions = deletionConditions(before, findings, timestampText(this.#options.ambient.clock.now()));
    if (sameConditions(before, conditions)) return;
    await this.#namespaces.status.update({ ...namespace, status: { ...namespace.status, conditions } });
  }

  async #finalize(namespace: NamespaceObject, own: string): Promise<void> {
    if (namespace.metadata.deletionTimestamp === undefined) return;
    const finalizers = (namespace.spec?.finalizers ?? []).filter((finalizer) => finalizer !== own);
    const finalize = this.#namespaces.subresource<NamespaceObject>('finalize');
    await finalize.update({ ...namespace, spec: { ...namespace.spec, finalizers } });
  }
}
