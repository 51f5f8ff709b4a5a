import {
  type Ambient,
  type AuthorizationDecision,
  type JsonObject,
  Metrics,
  orchVocabulary,
  type Transport,
} from '@ashlar/core';
import { createSteppedClock, type SteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import { attributesOf } from '../decision/attributes.fixture.ts';
import { createAuthorizerMetrics } from '../decision/authorizer-metrics.ts';
import { createWebhookAuthorizer, type WebhookAuthorizerOptions } from './webhook-authorizer.ts';

type Answer = JsonObject | number | Error;

const review = (status: JsonObject): JsonObject => ({
  ...{ apiVersion: 'authorization.orch.io/v1', kind: 'SubjectAccessReview' },
  status,
});

/** A webhook that returns its responses one after the other, the last one repeatedly. */
class Hook {
  readonly clock: SteppedClock = createSteppedClock();
  readonly bodies: JsonObject[] = [];
  readonly #answers: Answer[];

  constructor(...responses: readonly Answer[]) {
    this.#answers = [...responses];
  }

  readonly #transport: Transport = {
    request: async (_, { body }) => {
      this.bodies.push(JSON.parse(new TextDecoder().decode(body)) as JsonObject);
      const response = this.#answers.length > 1 ? this.#answers.shift() : this.#answers[0];
      if (response instanceof Error) throw response;
      const status = typeof response === 'number' ? response : 201;
      const bytes = new TextEncoder().encode(typeof response === 'number' ? '' : JSON.stringify(response));
      return {
        ...{ status, headers: {}, body: async () => bytes },
        stream: async function* () {
          yield bytes;
        },
      };
    },
  };

  authorizer(options: Partial<WebhookAuthorizerOptions> = {}) {
    const ambient: Ambient = {
      clock: this.clock,
      random: { bytes: (into) => into.fill(0) },
      vocabulary: orchVocabulary,
    };
    const url = 'https://hook.example/';
    return createWebhookAuthorizer({ ambient, transport: this.#transport, url, version: 'v1', ...options });
  }

  /** Advances the time until there is a response. */
  async settle(
    decision: AuthorizationDecision | Promise<AuthorizationDecision>,
  ): Promise<AuthorizationDecision> {
    let isDone = false;
    const done = Promise.resolve(decision).finally(() => {
      isDone = true;
    });
    for (let round = 0; !isDone && round < 100; round++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (!isDone && this.clock.pending().length > 0) this.clock.advance(2_000);
    }
    return done;
  }
}

describe('an authorization webhook', () => {
  it('receives a review of the request', async () => {
    const hook = new Hook(review({ allowed: true, reason: 'it may' }));
    const asked = attributesOf({
      user: { name: 'anna', uid: '7', groups: ['dev'], extra: { k: ['v'] } },
      fieldSelector: 'metadata.name!=x',
      labelSelector: 'a in (c,b),!d',
    });
    const decision = await hook.settle(hook.authorizer().authorize(asked));
    expect(decision).toEqual({ decision: 'allow', reason: 'it may' });
    expect(hook.bodies).toEqual([
      {
        kind: 'SubjectAccessReview',
        apiVersion: 'authorization.orch.io/v1',
        metadata: { creationTimestamp: null },
        spec: {
          resourceAttributes: {
            ...{ namespace: 'ns', verb: 'list', version: 'v1', resource: 'configmaps' },
            fieldSelector: { requirements: [{ key: 'metadata.name', operator: 'NotIn', values: ['x'] }] },
            labelSelector: {
              requirements: [
                { key: 'a', operator: 'In', values: ['b', 'c'] },
                { key: 'd', operator: 'DoesNotExist' },
              ],
            },
          },
          ...{ user: 'anna', uid: '7', groups: ['dev'], extra: { k: ['v'] } },
        },
        status: { allowed: false },
      },
    ]);
  });

  it('uses the older field of groups in the older version', async () => {
    const hook = new Hook({ ...review({ allowed: false }), apiVersion: 'authorization.orch.io/v1beta1' });
    const path = attributesOf({ isResourceRequest: false, path: '/version', verb: 'get' });
    const decision = await hook.settle(hook.authorizer({ version: 'v1beta1' }).authorize(path));
    expect(decision).toEqual({ decision: 'no-opinion' });
    expect(hook.bodies[0]?.spec).toEqual({
      ...{ nonResourceAttributes: { path: '/version', verb: 'get' }, user: 'anna' },
      group: ['system:authenticated'],
    });
  });

  it('can deny, but not allow and deny', async () => {
    const denying = new Hook(review({ allowed: false, denied: true, reason: 'no' }));
    expect(await denying.settle(denying.authorizer().authorize(attributesOf()))).toEqual({
      ...{ decision: 'deny', reason: 'no' },
    });
    const both = new Hook(review({ allowed: true, denied: true }));
    const { decision, error } = await both.settle(both.authorizer().authorize(attributesOf()));
    expect([decision, error?.message]).toEqual([
      'deny',
      'webhook subject access review returned both allow and deny response',
    ]);
  });

  it('is called again after a while, sooner if it did not allow', async () => {
    for (const [allowed, retained] of [
      [true, 300_000],
      [false, 30_000],
    ] as const) {
      const hook = new Hook(review({ allowed }));
      const authorizer = hook.authorizer();
      const ask = () => hook.settle(authorizer.authorize(attributesOf()));
      await ask();
      hook.clock.advance(retained - 1);
      await ask();
      expect(hook.bodies).toHaveLength(1);
      hook.clock.advance(2);
      await ask();
      expect(hook.bodies).toHaveLength(2);
    }
  });

  it('is called every time for very long attributes', async () => {
    const hook = new Hook(review({ allowed: true }));
    const authorizer = hook.authorizer();
    const long = attributesOf({ name: 'x'.repeat(10_000) });
    await hook.settle(authorizer.authorize(long));
    await hook.settle(authorizer.authorize(long));
    expect(hook.bodies).toHaveLength(2);
  });

  it('is retried, five times at most', async () => {
    const busy = new Hook(503, 429, new Error('reset'), review({ allowed: true }));
    expect(await busy.settle(busy.authorizer().authorize(attributesOf()))).toEqual({ decision: 'allow' });
    expect(busy.bodies).toHaveLength(4);
    const broken = new Hook(500);
    await broken.settle(broken.authorizer().authorize(attributesOf()));
    expect(broken.bodies).toHaveLength(5);
    const refusing = new Hook(403);
    await refusing.settle(refusing.authorizer().authorize(attributesOf()));
    expect(refusing.bodies).toHaveLength(1);
  });

  it('fails according to its policy, without caching', async () => {
    for (const [failurePolicy, decision] of [
      ['NoOpinion', 'no-opinion'],
      ['Deny', 'deny'],
    ] as const) {
      const hook = new Hook({ kind: 'Other' }, review({ allowed: true }));
      const authorizer = hook.authorizer({ failurePolicy });
      const failed = await hook.settle(authorizer.authorize(attributesOf()));
      expect(failed).toMatchObject({ decision, error: expect.any(Error) });
      expect(await hook.settle(authorizer.authorize(attributesOf()))).toEqual({ decision: 'allow' });
    }
  });

  it.each([
    [{ status: 'allowed' }, 'the status of the response is not an object'],
    [{ status: { allowed: true }, spec: 'x' }, 'a part of the response is not an object'],
    [{ status: { allowed: true }, metadata: 1 }, 'a part of the response is not an object'],
    [{ status: { allowed: 'true' } }, 'the status of the response has no boolean in allowed'],
    [{ status: { allowed: true, denied: 0 } }, 'the status of the response has no boolean in denied'],
    [{ status: { allowed: true, reason: {} } }, 'the status of the response has no string in reason'],
  ])('fails on response %j', async (content, why) => {
    const hook = new Hook({ ...review({}), ...content });
    const { decision, error } = await hook.settle(
      hook.authorizer({ failurePolicy: 'Deny' }).authorize(attributesOf()),
    );
    expect([decision, error?.message]).toEqual(['deny', `the authorization webhook failed: ${why}`]);
  });

  it('has no opinion if its response has none', async () => {
    for (const status of [null, {}, { allowed: null }]) {
      const hook = new Hook({ ...review({}), status });
      expect(await hook.settle(hook.authorizer().authorize(attributesOf()))).toEqual({
        decision: 'no-opinion',
      });
    }
  });

  it('has conditions over requirements that all have values, if only none', async () => {
    const hook = new Hook(review({ allowed: true }));
    const condition = 'request.resourceAttributes.labelSelector.requirements.all(r, has(r.values))';
    const authorizer = hook.authorizer({ matchConditions: [condition] });
    const asked = attributesOf({ labelSelector: 'a,b=c,!d' });
    expect(await hook.settle(authorizer.authorize(asked))).toEqual({ decision: 'allow' });
  });

  it('is called only if its conditions are met', async () => {
    const hook = new Hook(review({ allowed: true }));
    const condition = "has(request.resourceAttributes) && request.resourceAttributes.namespace == 'ns'";
    const authorizer = hook.authorizer({ matchConditions: [condition, "'dev' in request.groups"] });
    const user = { name: 'anna', groups: ['dev'] };
    expect(await hook.settle(authorizer.authorize(attributesOf({ user })))).toEqual({ decision: 'allow' });
    for (const other of [{ user, namespace: 'other' }, {}, { user, isResourceRequest: false }])
      expect(await authorizer.authorize(attributesOf(other))).toEqual({ decision: 'no-opinion' });
    expect(hook.bodies).toHaveLength(1);
  });

  it('is not called if a condition fails and none is false', () => {
    const hook = new Hook(review({ allowed: true }));
    const failing = "request.extra['none'][0] == 'x'";
    const ask = (matchConditions: readonly string[]) =>
      hook.authorizer({ matchConditions, failurePolicy: 'Deny' }).authorize(attributesOf());
    expect(ask([failing, 'true'])).toMatchObject({ decision: 'deny', error: expect.any(Error) });
    expect(ask([failing, 'false'])).toEqual({ decision: 'no-opinion' });
    expect(() => ask(['request.nothing'])).toThrow(TypeError);
  });

  it('counts its calls, their results, and excluded requests', async () => {
    const registry = new Metrics();
    const metrics = createAuthorizerMetrics(registry);
    const counted = { name: 'outer', metrics };
    const matchConditions = ["request.user != 'skipped'", "request.extra['fails'][0] == 'x' || true"];
    const hook = new Hook(500, review({ allowed: true }), { kind: 'Other' });
    const authorizer = hook.authorizer({ ...counted, matchConditions });
    await hook.settle(authorizer.authorize(attributesOf()));
    await hook.settle(authorizer.authorize(attributesOf({ name: 'another' })));
    await hook.settle(authorizer.authorize(attributesOf({ user: { name: 'skipped', groups: [] } })));
    const failing = hook.authorizer({ ...counted, matchConditions: ["request.extra['fails'][0] == 'x'"] });
    await hook.settle(failing.authorize(attributesOf()));
    const strict = hook.authorizer({ ...counted, name: 'strict', failurePolicy: 'Deny' });
    await hook.settle(strict.authorize(attributesOf()));
    const lines = registry.text().split('\n');
    expect(lines.filter((line) => /_(total|count)\{/.test(line))).toEqual([
      'apiserver_authorization_match_condition_evaluation_errors_total{type="Webhook",name="outer"} 1',
      'apiserver_authorization_match_condition_evaluation_seconds_count{type="Webhook",name="outer"} 4',
      'apiserver_authorization_match_condition_exclusions_total{type="Webhook",name="outer"} 1',
      'apiserver_authorization_webhook_duration_seconds_count{name="outer",result="error"} 2',
      'apiserver_authorization_webhook_duration_seconds_count{name="outer",result="success"} 1',
      'apiserver_authorization_webhook_duration_seconds_count{name="strict",result="error"} 1',
      'apiserver_authorization_webhook_evaluations_fail_open_total{name="outer",result="error"} 1',
      'apiserver_authorization_webhook_evaluations_total{name="outer",result="error"} 2',
      'apiserver_authorization_webhook_evaluations_total{name="outer",result="success"} 1',
      'apiserver_authorization_webhook_evaluations_total{name="strict",result="error"} 1',
    ]);
  });

  it('distinguishes timeouts from aborted calls', async () => {
    const registry = new Metrics();
    const clock = createSteppedClock();
    const silent: Transport = {
      request: (_, { signal }) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    };
    const ambient: Ambient = { clock, random: { bytes: (into) => into.fill(0) }, vocabulary: orchVocabulary };
    const authorizer = createWebhookAuthorizer({
      ...{ ambient, transport: silent, url: 'https://hook.example/', timeoutMilliseconds: 1000 },
      metrics: createAuthorizerMetrics(registry),
    });
    const late = authorizer.authorize(attributesOf());
    clock.advance(1000);
    expect(await late).toMatchObject({ decision: 'no-opinion' });
    const stop = new AbortController();
    const left = authorizer.authorize(attributesOf(), stop.signal);
    stop.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    const lines = registry.text().split('\n');
    expect(lines.filter((line) => /_total\{/.test(line))).toEqual([
      'apiserver_authorization_webhook_evaluations_fail_open_total{name="default",result="timeout"} 1',
      'apiserver_authorization_webhook_evaluations_total{name="default",result="timeout"} 1',
      'apiserver_authorization_webhook_evaluations_total{name="default",result="canceled"} 1',
    ]);
  });

  it('cannot list rules', async () => {
    expect(await new Hook(500).authorizer().rules?.({ name: 'anna', groups: [] }, 'ns')).toMatchObject({
      ...{ incomplete: true, errors: ['webhook authorizer does not support user rule resolution'] },
    });
  });
});
