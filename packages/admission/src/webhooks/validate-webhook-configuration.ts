import {
  choiceErrors,
  dns1035LabelErrors,
  type FieldError,
  FieldErrors,
  fieldErrorsOf,
  fieldErrorsOfSteps,
  MAXIMUM_FIELD_ERRORS,
  type Steps,
  type Vocabulary,
  validateFullyQualifiedName,
  validateLabelSelector,
} from '@ashlar/core';
import { matchConditionErrors } from '../expressions/match-conditions.ts';
import { admissionRuleErrors } from '../validate-admission-rule.ts';
import { clientConfigErrorsSteps } from './client-config.ts';
import type { Webhook, WebhookConfiguration } from './webhook-configuration.ts';

/** Versions of reviews that this server sends. */
export const WEBHOOK_REVIEW_VERSIONS: readonly string[] = ['v1', 'v1beta1'];

const FAILURE_POLICIES = ['Fail', 'Ignore'];
const MATCH_POLICIES = ['Equivalent', 'Exact'];
const SIDE_EFFECTS = ['None', 'NoneOnDryRun'];
const REINVOCATION_POLICIES = ['IfNeeded', 'Never'];

/** Webhooks between pauses. */
const STRIDE = 64;

/** Returns the errors of a configuration of webhooks (semantics/admission#webhook-configuration), with pauses: it may have thousands. */
export function* webhookConfigurationErrorsSteps(
  { webhooks }: WebhookConfiguration,
  vocabulary: Vocabulary,
): Steps<readonly FieldError[]> {
  const names = new Set<string>();
  const errors: FieldError[] = [];
  for (const [index, webhook] of (webhooks ?? []).entries()) {
    const path = `webhooks[${index}]`;
    const isDuplicate = webhook.name !== '' && names.has(webhook.name);
    names.add(webhook.name);
    errors.push(
      ...(yield* webhookErrorsSteps(webhook, path, vocabulary)),
      ...(yield* admissionReviewVersionErrorsSteps(
        webhook.admissionReviewVersions ?? [],
        `${path}.admissionReviewVersions`,
      )),
      ...(isDuplicate ? [FieldErrors.duplicate(`${path}.name`, webhook.name)] : []),
    );
    if (errors.length > MAXIMUM_FIELD_ERRORS) break;
    if (index % STRIDE === STRIDE - 1) yield;
  }
  return errors;
}

function* webhookErrorsSteps(
  webhook: Webhook,
  path: string,
  vocabulary: Vocabulary,
): Steps<readonly FieldError[]> {
  // patches may leave a null behind
  const { sideEffects = null, timeoutSeconds } = webhook;
  const timeout = timeoutSeconds ?? 10;
  const texts = (field: keyof Webhook, choices: readonly string[]): readonly FieldError[] =>
    choiceErrors(`${path}.${field}`, (webhook[field] ?? undefined) as string | undefined, choices);
  return [
    ...validateFullyQualifiedName(`${path}.name`, webhook.name),
    ...fieldErrorsOf(webhook.rules ?? [], (rule, index) =>
      admissionRuleErrors(rule, `${path}.rules[${index}]`),
    ),
    ...texts('failurePolicy', FAILURE_POLICIES),
    ...texts('matchPolicy', MATCH_POLICIES),
    ...(sideEffects === null
      ? [FieldErrors.required(`${path}.sideEffects`, `must specify one of ${SIDE_EFFECTS.join(', ')}`)]
      : []),
    ...texts('sideEffects', SIDE_EFFECTS),
    ...(timeout >= 1 && timeout <= 30
      ? []
      : [
          FieldErrors.invalid(
            `${path}.timeoutSeconds`,
            timeout,
            'the timeout value must be between 1 and 30 seconds',
          ),
        ]),
    ...validateLabelSelector(webhook.namespaceSelector, `${path}.namespaceSelector`),
    ...validateLabelSelector(webhook.objectSelector, `${path}.objectSelector`),
    ...texts('reinvocationPolicy', REINVOCATION_POLICIES),
    ...(yield* clientConfigErrorsSteps(webhook.clientConfig, `${path}.clientConfig`)),
    ...matchConditionErrors(webhook.matchConditions ?? [], `${path}.matchConditions`, {
      vocabulary,
      params: false,
      isNew: () => true,
    }),
  ];
}

/** Returns the errors of each version: duplicates, and those that are no labels. */
export function reviewVersionErrorsSteps(
  versions: readonly string[],
  path: string,
): Steps<readonly FieldError[]> {
  const seen = new Set<string>();
  return fieldErrorsOfSteps(versions, (version, index) => {
    const field = `${path}[${index}]`;
    if (seen.has(version)) return [FieldErrors.invalid(field, version, 'duplicate version')];
    seen.add(version);
    return dns1035LabelErrors(version).map((why) => FieldErrors.invalid(field, version, why));
  });
}

function* admissionReviewVersionErrorsSteps(
  versions: readonly string[],
  path: string,
): Steps<readonly FieldError[]> {
  const supported = WEBHOOK_REVIEW_VERSIONS.join(', ');
  if (versions.length === 0) return [FieldErrors.required(path, `must specify one of ${supported}`)];
  const errors = yield* reviewVersionErrorsSteps(versions, path);
  if (versions.some((version) => WEBHOOK_REVIEW_VERSIONS.includes(version))) return errors;
  return [...errors, FieldErrors.invalid(path, versions, `must include at least one of ${supported}`)];
}
