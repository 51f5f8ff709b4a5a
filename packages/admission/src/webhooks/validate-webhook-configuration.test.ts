import { kubernetesVocabulary, runAtOnce } from '@ashlar/core';
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

  it('is told of its selectors before its reinvocation', () => {
    const objectSelector = { matchExpressions: [{ key: 'a', operator: 'Is' }] };
    const hook = {
      name: 'a.b.io',
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      reinvocationPolicy: 'x',
    };
    const webhooks = [{ ...hook, objectSelector, clientConfig: { url: 'https://a.io' } }];
    const configuration = { webhooks } as unknown as WebhookConfiguration;
    const errors = runAtOnce(webhookConfigurationErrorsSteps(configuration, kubernetesVocabulary));
    expect(errors.map(({ field }) => field)).toEqual([
      'webhooks[0].objectSelector.matchExpressions[0].operator',
      'webhooks[0].reinvocationPolicy',
    ]);
  });

  it('with rules of empty resources has few errors', () => {
    const resources = Array.from({ length: COUNT }, () => '');
    const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources };
    expect(admissionRuleErrors(rule, 'rule').length).toBeLessThan(300);
  });
});
