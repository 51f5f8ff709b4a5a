import {
  type AdmissionRequest,
  type WebhookConfiguration,
  WebhookConfigurations,
  type WebhookSource,
} from '@ashlar/admission';
import { type Ambient, groupName } from '@ashlar/core';
import type { ObjectStore } from '@ashlar/storage';
import { LazyFollowing } from './lazy-following.ts';

/** The webhooks of stored configurations, and the watches that keep them up to date. */
export interface LiveWebhooks extends Disposable {
  readonly mutating: WebhookSource;
  readonly validating: WebhookSource;
}

/** How the objects are followed that say what is admitted. */
export interface LiveAdmissionOptions {
  readonly ambient: Ambient;
  /** Whether a request is one of the server's start, for which no store is waited for. */
  isOfStart(request: AdmissionRequest): boolean;
  readonly onError?: (error: unknown) => void;
}

/** Follows the configurations of webhooks in a store, from the first write on. */
export function createLiveWebhooks(store: ObjectStore, options: LiveAdmissionOptions): LiveWebhooks {
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
  readonly #options: LiveAdmissionOptions;
  readonly #configurations: WebhookConfigurations;
  readonly #following: LazyFollowing;

  constructor(store: ObjectStore, plural: string, options: LiveAdmissionOptions) {
    const { vocabulary, clock } = options.ambient;
    const configurations = new WebhookConfigurations(vocabulary, options.ambient);
    this.#options = options;
    this.#configurations = configurations;
    const follower = {
      set: (object: object) => configurations.set(object as WebhookConfiguration),
      delete: (object: object) => configurations.delete(object as WebhookConfiguration),
    };
    const prefix = `/${plural}.${groupName(vocabulary, 'admissionregistration.')}/`;
    this.#following = new LazyFollowing(store, { [prefix]: follower }, { clock, onError: options.onError });
  }

  current(request: AdmissionRequest): ReturnType<WebhookSource['current']> {
    const found = () => this.#configurations.of(request.resource);
    if (this.#options.isOfStart(request)) return found();
    return this.#following.synced()?.then(found) ?? found();
  }

  [Symbol.dispose](): void {
    this.#following[Symbol.dispose]();
  }
}
