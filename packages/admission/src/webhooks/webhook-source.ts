import { type LabelSelector, toLabelSelector, type Vocabulary } from '@ashlar/core';
import type { AdmissionRequest } from '../admission-request.ts';
import type { AdmissionExpression } from '../expressions/admission-expression.ts';
import { compileMatchConditions } from '../expressions/match-conditions.ts';
import type { Webhook, WebhookConfiguration } from './webhook-configuration.ts';

/** A webhook that is ready to be matched. */
export interface ReadyWebhook {
  readonly webhook: Webhook;
  /** Name of its configuration. */
  readonly configuration: string;
  readonly namespaceSelector: LabelSelector;
  readonly objectSelector: LabelSelector;
  /** Compiled when they are first needed. */
  conditions(): readonly AdmissionExpression[];
}

/** The webhooks of one kind of configurations, which follow what is stored. */
export interface WebhookSource {
  /** In the order in which they are called for a request; a promise until they have been read. */
  current(request: AdmissionRequest): readonly ReadyWebhook[] | Promise<readonly ReadyWebhook[]>;
}

/** The webhooks of configurations, by the names of the configurations: a source to which every change is reported. */
export class WebhookConfigurations {
  readonly #vocabulary: Vocabulary;
  readonly #configurations: Map<string, readonly ReadyWebhook[]> = new Map();
  #ordered: readonly ReadyWebhook[] | undefined = [];

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  set(configuration: WebhookConfiguration): void {
    const name = configuration.metadata.name ?? '';
    const webhooks = configuration.webhooks ?? [];
    this.#configurations.set(
      name,
      webhooks.map((webhook) => ready(webhook, name, this.#vocabulary)),
    );
    this.#ordered = undefined;
  }

  delete(configuration: WebhookConfiguration): void {
    this.#configurations.delete(configuration.metadata.name ?? '');
    this.#ordered = undefined;
  }

  /** All webhooks: configurations by name, those of one configuration as they are listed. */
  all(): readonly ReadyWebhook[] {
    this.#ordered ??= [...this.#configurations]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([, webhooks]) => webhooks);
    return this.#ordered;
  }
}

function ready(webhook: Webhook, configuration: string, vocabulary: Vocabulary): ReadyWebhook {
  let compiled: readonly AdmissionExpression[] | undefined;
  return {
    webhook,
    configuration,
    namespaceSelector: toLabelSelector(webhook.namespaceSelector ?? {}),
    objectSelector: toLabelSelector(webhook.objectSelector ?? {}),
    conditions() {
      compiled ??= compileMatchConditions(webhook.matchConditions ?? [], { vocabulary, params: false });
      return compiled;
    },
  };
}
