import { type AuthorizationDecision, type Authorizer, Metrics } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import { attributesOf } from './attributes.fixture.ts';
import { withAuthorizationMetrics } from './authorization-metrics.ts';
import { createAuthorizerMetrics, withDecisionMetrics } from './authorizer-metrics.ts';
import { createUnionAuthorizer } from './union.ts';

/** Lines of metrics without comments and buckets. */
const linesOf = (metrics: Metrics): readonly string[] =>
  metrics
    .text()
    .split('\n')
    .filter((line) => line !== '' && !/^#|_bucket/.test(line));

describe('the metrics of authorization', () => {
  it('count decisions, and measure their duration', async () => {
    const clock = createSteppedClock();
    const metrics = new Metrics();
    const decisions: AuthorizationDecision[] = [
      { decision: 'allow' },
      { decision: 'deny' },
      { decision: 'no-opinion' },
      { decision: 'no-opinion', error: new Error('broken') },
      { decision: 'allow', error: new Error('broken elsewhere') },
    ];
    const inner: Authorizer = {
      async authorize() {
        clock.advance(250);
        const decision = decisions.shift();
        if (!decision) throw new Error('down');
        return decision;
      },
    };
    const counted = withAuthorizationMetrics(inner, { metrics, clock });
    for (const { decision } of [...decisions])
      expect(await counted.authorize(attributesOf())).toMatchObject({ decision });
    await expect(counted.authorize(attributesOf())).rejects.toThrow('down');
    expect(linesOf(metrics)).toEqual([
      'authorization_attempts_total{result="allowed"} 2',
      'authorization_attempts_total{result="denied"} 1',
      'authorization_attempts_total{result="no-opinion"} 1',
      'authorization_attempts_total{result="error"} 2',
      'authorization_duration_seconds_sum{result="allowed"} 0.5',
      'authorization_duration_seconds_count{result="allowed"} 2',
      'authorization_duration_seconds_sum{result="denied"} 0.25',
      'authorization_duration_seconds_count{result="denied"} 1',
      'authorization_duration_seconds_sum{result="no-opinion"} 0.25',
      'authorization_duration_seconds_count{result="no-opinion"} 1',
      'authorization_duration_seconds_sum{result="error"} 0.5',
      'authorization_duration_seconds_count{result="error"} 2',
    ]);
  });
});

describe('the metrics of single authorizers', () => {
  it('count decisions by authorizer', async () => {
    const metrics = new Metrics();
    const counts = createAuthorizerMetrics(metrics);
    const deciding = (verb: string, decision: AuthorizationDecision['decision']): Authorizer => ({
      authorize: (asked) => ({ decision: asked.verb === verb ? decision : 'no-opinion' }),
    });
    const union = createUnionAuthorizer([
      withDecisionMetrics(deciding('delete', 'deny'), { type: 'ABAC', name: 'abac', metrics: counts }),
      withDecisionMetrics(deciding('list', 'allow'), { type: 'RBAC', name: 'rbac', metrics: counts }),
    ]);
    for (const verb of ['list', 'delete', 'list', 'watch']) await union.authorize(attributesOf({ verb }));
    expect(linesOf(metrics)).toEqual([
      'apiserver_authorization_decisions_total{type="RBAC",name="rbac",decision="allowed"} 2',
      'apiserver_authorization_decisions_total{type="ABAC",name="abac",decision="denied"} 1',
    ]);
  });

  it('list the rules that they count', async () => {
    const inner: Authorizer = {
      authorize: () => ({ decision: 'allow' }),
      rules: () => ({
        resourceRules: [{ verbs: ['get'] }],
        nonResourceRules: [],
        incomplete: false,
        errors: [],
      }),
    };
    const metrics = createAuthorizerMetrics(new Metrics());
    const counted = withDecisionMetrics(inner, { type: 'RBAC', name: 'rbac', metrics });
    expect(await counted.rules?.({ name: 'a', groups: [] }, 'ns')).toMatchObject({
      resourceRules: [{ verbs: ['get'] }],
      incomplete: false,
    });
  });
});
