import {
  type Ambient,
  type GroupResource,
  type LabelSelector,
  type MaybePromise,
  type Steps,
  toLabelSelector,
  type Vocabulary,
} from '@ashlar/core';
import type { AdmissionRequest } from '../admission-request.ts';
import type { AdmissionRule } from '../admission-rule.ts';
import type { AdmissionExpression } from '../expressions/admission-expression.ts';
import { compileMatchConditions } from '../expressions/match-conditions.ts';
import { ByResource } from '../matching/by-resource.ts';
import { rulesOfResourceSteps } from '../matching/rules-of-resource.ts';
import type { Webhook, WebhookConfiguration } from './webhook-configuration.ts';

/** A webhook that is ready to be matched. */
export interface ReadyWebhook {
  readonly webhook: Webhook;
  /** Its rules that may match requests for a resource. */
  readonly rules: readonly AdmissionRule[];
  /** Name of its configuration. */
  readonly configuration: string;
  /** Its place among all webhooks of its kind. */
  readonly index: number;
  readonly namespaceSelector: LabelSelector;
  readonly objectSelector: LabelSelector;
  /** Compiled when they are first needed. */
  conditions(): readonly AdmissionExpression[];
}

/** The webhooks of one kind of configurations, which follow what is stored. */
export interface WebhookSource {
  /** Those whose rules may match a request, in the order in which they are called; a promise until they have been read. */
  current(request: AdmissionRequest): readonly ReadyWebhook[] | Promise<readonly ReadyWebhook[]>;
}

/** Webhooks that are found between two pauses. */
const WEBHOOKS_PER_STEP = 256;

/** A webhook of some configuration, wherever that stands. */
type ConfiguredWebhook = Omit<ReadyWebhook, 'rules' | 'index'>;

/** The webhooks of configurations, by the resources that they are for: a source to which every change is reported. */
export class WebhookConfigurations {
  readonly #vocabulary: Vocabulary;
  readonly #configurations: Map<string, readonly ConfiguredWebhook[]> = new Map();
  readonly #index: ByResource<ReadyWebhook>;
  #ordered: readonly ConfiguredWebhook[] | undefined = [];

  /** @param ambient with it, webhooks by the thousand are searched with pauses */
  constructor(vocabulary: Vocabulary, ambient?: Pick<Ambient, 'clock' | 'turns'>) {
    this.#vocabulary = vocabulary;
    this.#index = new ByResource((resource) => ofResourceSteps(this.#all(), resource), ambient);
  }

  set(configuration: WebhookConfiguration): void {
    const name = configuration.metadata.name ?? '';
    const webhooks = configuration.webhooks ?? [];
    this.#configurations.set(
      name,
      webhooks.map((webhook) => ready(webhook, name, this.#vocabulary)),
    );
    this.#changed();
  }

  delete(configuration: WebhookConfiguration): void {
    this.#configurations.delete(configuration.metadata.name ?? '');
    this.#changed();
  }

  /** Those whose rules may match requests for a resource: configurations by name, those of one configuration as they are listed. */
  of(resource: GroupResource): MaybePromise<readonly ReadyWebhook[]> {
    return this.#index.of(resource);
  }

  #changed(): void {
    this.#ordered = undefined;
    this.#index.clear();
  }

  #all(): readonly ConfiguredWebhook[] {
    this.#ordered ??= [...this.#configurations]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([, webhooks]) => webhooks);
    return this.#ordered;
  }
}

function* ofResourceSteps(
  webhooks: readonly ConfiguredWebhook[],
  resource: GroupResource,
): Steps<readonly ReadyWebhook[]> {
  const found: ReadyWebhook[] = [];
  for (const [index, configured] of webhooks.entries()) {
    const rules = yield* rulesOfResourceSteps(configured.webhook.rules ?? [], resource);
    if (rules.length > 0) found.push({ ...configured, rules, index });
    if (index % WEBHOOKS_PER_STEP === WEBHOOKS_PER_STEP - 1) yield;
  }
  return found;
}

function ready(webhook: Webhook, configuration: string, vocabulary: Vocabulary): ConfiguredWebhook {
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
