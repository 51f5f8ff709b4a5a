import {
  type AdmissionRequest,
  type WebhookConfiguration,
  WebhookConfigurations,
  type WebhookSource,
} from '@ashlar/admission';
import { type Ambient, groupName } from '@ashlar/core';
import type { ObjectStore } from '@ashlar/storage';
import { type Following, followObjects } from './follow-objects.ts';

/** The webhooks of stored configurations, and the watches that keep them up to date. */
export interface LiveWebhooks extends Disposable {
  readonly mutating: WebhookSource;
  readonly validating: WebhookSource;
}

export interface LiveWebhooksOptions {
  readonly ambient: Ambient;
  /** Whether a request is one of the server's start, for which no store is waited for. */
  isOfStart(request: AdmissionRequest): boolean;
  readonly onError?: (error: unknown) => void;
}

/** Follows the configurations of webhooks in a store, from the first write on. */
export function createLiveWebhooks(store: ObjectStore, options: LiveWebhooksOptions): LiveWebhooks {
  const mutating = new FollowedWebhooks(store, 'mutatingwebhookconfigurations', options);
  const validating = new FollowedWebhooks(store, 'validatingwebhookconfigurations', options);
  return {
    mutating,
    validating,
    [Symbol.dispose]() {
      mutating[Symbol.dispose]();
      validating[Symbol.dispose]();
    },
  };
}

class FollowedWebhooks implements WebhookSource, Disposable {
  readonly #store: ObjectStore;
  readonly #prefix: string;
  readonly #options: LiveWebhooksOptions;
  readonly #configurations: WebhookConfigurations;
  #following: Following | undefined;
  #isSynced = false;
  #isDisposed = false;

  constructor(store: ObjectStore, plural: string, options: LiveWebhooksOptions) {
    const { vocabulary } = options.ambient;
    this.#store = store;
    this.#prefix = `/${plural}.${groupName(vocabulary, 'admissionregistration.')}/`;
    this.#options = options;
    this.#configurations = new WebhookConfigurations(vocabulary);
  }

  current(request: AdmissionRequest): ReturnType<WebhookSource['current']> {
    if (this.#isSynced || this.#isDisposed || this.#options.isOfStart(request))
      return this.#configurations.all();
    const { synced } = this.#follow();
    if (synced instanceof Promise)
      return synced.then(() => {
        this.#isSynced = true;
        return this.#configurations.all();
      });
    this.#isSynced = true;
    return this.#configurations.all();
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    this.#following?.[Symbol.dispose]();
  }

  #follow(): Following {
    const { ambient, onError } = this.#options;
    const configurations = this.#configurations;
    this.#following ??= followObjects(
      this.#store,
      this.#prefix,
      {
        set: (object) => configurations.set(object as WebhookConfiguration),
        delete: (object) => configurations.delete(object as WebhookConfiguration),
      },
      { clock: ambient.clock, ...(onError && { onError }) },
    );
    return this.#following;
  }
}
