import { kubernetesVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { admissionRuleErrors } from '../validate-admission-rule.ts';
import { webhookConfigurationErrorsSteps } from './validate-webhook-configuration.ts';
import type { WebhookConfiguration } from './webhook-configuration.ts';

const COUNT = 20_000;

describe('a webhook', () => {
  it('of versions of reviews by the ten thousand is validated with pauses', () => {
    const admissionReviewVersions = Array.from({ length: COUNT }, (_, i) => (i === 0 ? 'v1' : `a${i}`));
    const clientConfig = { url: 'https://a.io' };
    const webhooks = [{ name: 'a.b.io', sideEffects: 'None', clientConfig, admissionReviewVersions }];
    const steps = webhookConfigurationErrorsSteps(
      { webhooks } as unknown as WebhookConfiguration,
      kubernetesVocabulary,
    );
    let pauses = 0;
    let last = steps.next();
    for (; !last.done; last = steps.next()) pauses++;
    expect(last.value).toEqual([]);
    expect(pauses).toBeGreaterThan(COUNT / 128);
  });

  it('with rules of empty resources has few errors', () => {
    const resources = Array.from({ length: COUNT }, () => '');
    const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources };
    expect(admissionRuleErrors(rule, 'rule').length).toBeLessThan(300);
  });
});
