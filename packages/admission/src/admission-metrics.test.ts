import { Metrics, orchVocabulary, type Transport } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import { createAdmissionChain } from './admission-chain.ts';
import { AdmissionMetrics } from './admission-metrics.ts';
import type { AdmissionPlugin, AdmissionRequest } from './admission-request.ts';
import { all, page, policiesOf, policy } from './policies/policies.fixture.ts';
import { requestFor } from './request.fixture.ts';
import { createMutatingWebhooks } from './webhooks/mutating-webhooks.ts';
import { createValidatingWebhooks } from './webhooks/validating-webhooks.ts';
import type { Webhook } from './webhooks/webhook-configuration.ts';
import { WebhookConfigurations } from './webhooks/webhook-source.ts';

const setUp = () => {
  const clock = createSteppedClock();
  const metrics = new Metrics();
  const counted = new AdmissionMetrics(metrics, clock);
  /** The lines of a metric without its common prefix, besides buckets. */
  const lines = (name: string): readonly string[] =>
    metrics
      .text()
      .split('\n')
      .filter((line) => line.startsWith(`apiserver_${name}`) && !line.includes('_bucket{'))
      .map((line) => line.slice(`apiserver_${name}`.length));
  return { clock, counted, lines };
};

const outcome = async (attempt: unknown): Promise<string> => {
  try {
    await attempt;
    return 'admitted';
  } catch {
    return 'rejected';
  }
};

describe('metrics of the chain', () => {
  it('measure its halves, and the plugins that handle a request', async () => {
    const { clock, counted, lines } = setUp();
    const plugin = (name: string, seconds: number, more: Partial<AdmissionPlugin> = {}): AdmissionPlugin => ({
      name,
      handles: () => true,
      admit() {
        clock.advance(seconds * 1000);
        return undefined;
      },
      ...more,
    });
    const refusing = plugin('C', 3, { admit: () => Promise.reject(new Error('no')) });
    const slow = [plugin('A', 1), plugin('B', 2), plugin('Other', 9, { handles: () => false })];
    await createAdmissionChain(slow, { metrics: counted }).mutate(requestFor({ object: page() }));
    const failing = createAdmissionChain([...slow, refusing], { metrics: counted });
    expect(await outcome(failing.mutate(requestFor({ object: page() })))).toBe('rejected');
    expect(lines('admission_controller_admission_duration_seconds_sum')).toEqual([
      '{name="A",type="admit",operation="CREATE",rejected="false"} 2',
      '{name="B",type="admit",operation="CREATE",rejected="false"} 4',
      '{name="C",type="admit",operation="CREATE",rejected="true"} 0',
    ]);
    const steps = [
      '_sum{type="admit",operation="CREATE",rejected="false"} 3',
      '_count{type="admit",operation="CREATE",rejected="false"} 1',
      '_sum{type="admit",operation="CREATE",rejected="true"} 3',
      '_count{type="admit",operation="CREATE",rejected="true"} 1',
    ];
    expect(
      lines('admission_step_admission_duration_seconds').filter((line) => !line.startsWith('_summary')),
    ).toEqual(steps);
    const summary = lines('admission_step_admission_duration_seconds_summary');
    expect(summary.filter((line) => line.startsWith('_'))).toEqual(steps);
    const quantiles = summary.filter((line) => !line.startsWith('_'));
    expect(quantiles.map((line) => line.replace(/(?<= \d)\.\d+$/, ''))).toEqual(
      ['false', 'true'].flatMap((rejected) =>
        ['0.5', '0.9', '0.99'].map((share) =>
          expect.stringMatching(
            `^{type="admit",operation="CREATE",rejected="${rejected}",quantile="${share}"} [23]$`,
          ),
        ),
      ),
    );
  });
});

/** Webhooks that response what their path says: an HTTP status, or whether they allow. */
function webhooks(given: readonly Partial<Webhook>[], results: Readonly<Record<string, unknown>>) {
  const { clock, counted, lines } = setUp();
  const transport: Transport = {
    async request(url, { body }) {
      clock.advance(500);
      const { request } = JSON.parse(new TextDecoder().decode(body));
      const result = results[new URL(url).pathname];
      if (result === undefined) throw new Error('connection refused');
      const review = {
        ...{ apiVersion: 'admission.orch.io/v1', kind: 'AdmissionReview' },
        response: { uid: request.uid, ...(result as object) },
      };
      const bytes = new TextEncoder().encode(JSON.stringify(review));
      return {
        ...{ status: typeof result === 'number' ? result : 200, headers: {}, body: async () => bytes },
        async *stream() {
          yield bytes;
        },
      };
    },
  };
  const configurations = new WebhookConfigurations(orchVocabulary);
  const configured = given.map((each) => ({
    ...{ rules: [all], sideEffects: 'None', failurePolicy: 'Fail', admissionReviewVersions: ['v1'] },
    clientConfig: { url: `https://h/${each.name}` },
    ...each,
  })) as readonly Webhook[];
  configurations.set({ apiVersion: 'v1', kind: 'X', metadata: { name: 'c' }, webhooks: configured });
  const random = { bytes: (bytes: Uint8Array<ArrayBuffer>) => bytes.fill(7) };
  const environment = {
    ...{
      ambient: { clock, random, vocabulary: orchVocabulary },
      vocabulary: orchVocabulary,
      metrics: counted,
    },
    authorizer: { authorize: () => ({ decision: 'no-opinion' }) as const },
    namespace: (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }),
    caller: { clock, transport },
    source: { current: ({ resource }: AdmissionRequest) => configurations.of(resource) },
  };
  const chain = createAdmissionChain([
    createMutatingWebhooks(environment),
    createValidatingWebhooks(environment),
  ]);
  return { lines, chain };
}

describe('metrics of webhooks', () => {
  const request: AdmissionRequest = requestFor({ object: page() });

  it('tell allowed requests, denials and failures apart', async () => {
    const { lines, chain } = webhooks(
      [
        { name: 'yes' },
        { name: 'gone', failurePolicy: 'Ignore' },
        { name: 'bad', failurePolicy: 'Ignore' },
        { name: 'no' },
      ],
      { '/yes': { allowed: true }, '/bad': 404, '/no': { allowed: false, status: { code: 599 } } },
    );
    expect(await outcome(chain.mutate(request))).toBe('rejected');
    expect(lines('admission_webhook_request_total')).toEqual([
      '{name="yes",type="admit",operation="CREATE",code="200",rejected="false"} 1',
      '{name="gone",type="admit",operation="CREATE",code="400",rejected="false"} 1',
      '{name="bad",type="admit",operation="CREATE",code="404",rejected="false"} 1',
      '{name="no",type="admit",operation="CREATE",code="599",rejected="true"} 1',
    ]);
    expect(lines('admission_webhook_fail_open_count')).toEqual([
      '{name="gone",type="admit"} 1',
      '{name="bad",type="admit"} 1',
    ]);
    expect(lines('admission_webhook_rejection_count')).toEqual([
      '{name="no",type="admit",operation="CREATE",error_type="no_error",rejection_code="599"} 1',
    ]);
    expect(lines('admission_webhook_admission_duration_seconds_sum')[0]).toBe(
      '{name="yes",type="admit",operation="CREATE",rejected="false"} 0.5',
    );
  });

  it('count invalid answers, patches that cannot be applied and dry runs as rejections', async () => {
    const patch = { allowed: true, patchType: 'JSONPatch', patch: btoa('[{"op":"remove","path":"/none"}]') };
    const { lines, chain } = webhooks([{ name: 'patch' }], { '/patch': patch });
    expect(await outcome(chain.mutate(request))).toBe('rejected');
    // a validating webhook must not patch
    expect(await outcome(chain.validate(request))).toBe('rejected');
    const unsafe = webhooks([{ name: 'unsafe', sideEffects: 'Some' }], {});
    expect(await outcome(unsafe.chain.validate({ ...request, dryRun: true }))).toBe('rejected');
    expect([
      ...lines('admission_webhook_rejection_count'),
      ...unsafe.lines('admission_webhook_rejection_count'),
    ]).toEqual([
      '{name="patch",type="admit",operation="CREATE",error_type="apiserver_internal_error",rejection_code="0"} 1',
      '{name="patch",type="validating",operation="CREATE",error_type="calling_webhook_error",rejection_code="503"} 1',
      '{name="unsafe",type="validating",operation="CREATE",error_type="apiserver_internal_error",rejection_code="0"} 1',
    ]);
  });

  it('count match conditions', async () => {
    const condition = (expression: string) => [{ name: 'c', expression }];
    const { lines, chain } = webhooks(
      [
        { name: 'false', matchConditions: condition('object.text == "y"') },
        { name: 'error', failurePolicy: 'Ignore', matchConditions: condition('object.none') },
      ],
      {},
    );
    await chain.validate(request);
    expect(lines('admission_match_condition')).toEqual([
      '_evaluation_errors_total{name="error",kind="webhook",type="validate",operation="CREATE"} 1',
      '_evaluation_seconds_sum{name="false",kind="webhook",type="validate",operation="CREATE"} 0',
      '_evaluation_seconds_count{name="false",kind="webhook",type="validate",operation="CREATE"} 1',
      '_evaluation_seconds_sum{name="error",kind="webhook",type="validate",operation="CREATE"} 0',
      '_evaluation_seconds_count{name="error",kind="webhook",type="validate",operation="CREATE"} 1',
      '_exclusions_total{name="false",kind="webhook",type="validate",operation="CREATE"} 1',
    ]);
  });
});

describe('metrics of policies', () => {
  it('count what does not hold by what comes of it, and nothing else', async () => {
    const { counted, lines } = setUp();
    const { chain } = policiesOf(
      [
        policy(
          { matchConditions: [{ name: 'c', expression: 'true' }], validations: [{ expression: 'true' }] },
          'holds',
        ),
        policy({ validations: [{ expression: 'false' }] }, 'denies'),
        policy({ failurePolicy: 'Ignore', validations: [{ expression: 'object.none == 1' }] }, 'ignored'),
      ],
      { validationActions: ['Audit', 'Warn'] },
      { metrics: counted },
    );
    await chain.validate(requestFor({ object: page() }));
    expect(lines('validating_admission_policy_check_total')).toEqual([
      '{policy="denies",policy_binding="b-denies",error_type="invalid_error",enforcement_action="audit"} 1',
      '{policy="denies",policy_binding="b-denies",error_type="invalid_error",enforcement_action="warn"} 1',
      '{policy="ignored",policy_binding="b-ignored",error_type="invalid_error",enforcement_action="allow"} 1',
    ]);
    expect(lines('validating_admission_policy_check_duration_seconds_count')).toHaveLength(3);
    expect(lines('admission_match_condition_evaluation_seconds_count')).toEqual([
      '{name="holds",kind="policy",type="validate",operation="CREATE"} 1',
    ]);
  });
});
