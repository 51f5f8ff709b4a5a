import type { Webhook, WebhookConfiguration } from '@ashlar/admission';
import { type ApiObject, type FieldError, type JsonValue, jsonEqual } from '@ashlar/core';
import { type InheritedFault, inheritedError } from './inherited-faults.ts';
import { malformedSelectorValues } from './inherited-selectors.ts';

const about =
  (field: RegExp, message: RegExp) =>
  (error: FieldError): boolean =>
    field.test(error.field) && message.test(error.message);

const SELECTOR: RegExp = /^webhooks\[\d+\]\.(?:namespace|object)Selector\./;
const SIDE_EFFECTS: RegExp = /^webhooks\[\d+\]\.sideEffects$/;
const NAME: RegExp = /^webhooks\[\d+\]\.name$/;
const REVIEW_VERSIONS: RegExp = /^webhooks\[\d+\]\.admissionReviewVersions$/;
const CONDITIONS: RegExp = /^webhooks\[\d+\]\.matchConditions/;
const FORMER_EFFECTS: RegExp = /^Unsupported value: "(?:Some|Unknown)"/;

/** Faults of webhooks that former versions and releases accepted (semantics/admission#webhook-configuration). */
export const inheritedWebhookFaults: readonly InheritedFault[] = [
  malformedSelectorValues((field) => SELECTOR.test(field)),
  inheritedError(about(SIDE_EFFECTS, FORMER_EFFECTS), ({ field }) => SIDE_EFFECTS.test(field)),
  inheritedError(about(REVIEW_VERSIONS, /: must include at least one of /)),
  inheritedError(about(NAME, /^Duplicate value: /)),
  {
    isAbout: ({ field }) => CONDITIONS.test(field),
    isInherited: ({ object, stored }) => jsonEqual(conditionsOf(object), conditionsOf(stored)),
  },
];

/** The conditions of each webhook. */
function conditionsOf(object: ApiObject): JsonValue {
  const { webhooks } = object as WebhookConfiguration;
  return (webhooks ?? []).map(
    ({ matchConditions }: Webhook) => matchConditions ?? [],
  ) as unknown as JsonValue;
}
