import type { ApiObject, LabelSelectorObject } from '@ashlar/core';
import type { AdmissionRule } from '../admission-rule.ts';
import type { MatchCondition } from '../expressions/match-conditions.ts';
import type { WebhookClientConfig } from './client-config.ts';

/** A webhook of a configuration, as stored with its defaults (semantics/admission#webhook-configuration). */
export interface Webhook {
  readonly name: string;
  readonly clientConfig: WebhookClientConfig;
  readonly rules?: readonly AdmissionRule[] | null;
  /** `Fail` or `Ignore`. */
  readonly failurePolicy?: string;
  /** `Exact` or `Equivalent`. */
  readonly matchPolicy?: string;
  readonly namespaceSelector?: LabelSelectorObject | null;
  readonly objectSelector?: LabelSelectorObject | null;
  /** `None` or `NoneOnDryRun`. */
  readonly sideEffects?: string;
  /** From 1 to 30. */
  readonly timeoutSeconds?: number;
  readonly admissionReviewVersions?: readonly string[] | null;
  readonly matchConditions?: readonly MatchCondition[] | null;
  /** `Never` or `IfNeeded`; mutating webhooks only. */
  readonly reinvocationPolicy?: string;
}

/** A stored ValidatingWebhookConfiguration or MutatingWebhookConfiguration. */
export interface WebhookConfiguration extends ApiObject {
  readonly webhooks?: readonly Webhook[] | null;
}
