import { describe, expect, it } from 'vitest';
import { type AggregatedRole, aggregatedRules, aggregationSteps } from './aggregated-rules.ts';
import type { PolicyRule } from './policy-rule.ts';

const rule = (resource: string): PolicyRule => ({ verbs: ['get'], apiGroups: [''], resources: [resource] });
const role = (name: string, label: string, ...resources: readonly string[]): AggregatedRole => ({
  ...{ apiVersion: 'rbac.authorization.orch.io/v1', kind: 'ClusterRole' },
  metadata: { name, labels: { to: label } },
  rules: resources.map(rule),
});
const collector = (selectors: readonly string[], ...resources: readonly string[]): AggregatedRole => ({
  ...role('collector', 'x', ...resources),
  aggregationRule: { clusterRoleSelectors: selectors.map((to) => ({ matchLabels: { to } })) },
});

const collected = (into: AggregatedRole, ...others: readonly AggregatedRole[]): unknown =>
  aggregatedRules(into, [...others, into])?.map(({ resources }) => resources?.join());

describe('aggregatedRules', () => {
  it('collects the rules of selected roles, by selector and by name, without duplicates', () => {
    const [b, a, c] = [role('b', 'x', 'pods'), role('a', 'x', 'nodes', 'pods'), role('c', 'y', 'secrets')];
    expect(collected(collector(['x', 'y']), b, a, c)).toEqual(['nodes', 'pods', 'secrets']);
    expect(collected(collector(['y', 'x']), b, a, c)).toEqual(['secrets', 'nodes', 'pods']);
    expect(collected(collector(['z'], 'pods'), b, a, c)).toEqual([]);
  });

  it('is undefined if nothing changes', () => {
    const source = role('a', 'x', 'pods');
    expect(collected(collector(['x'], 'pods'), source)).toBeUndefined();
    expect(collected(role('plain', 'x'), source)).toBeUndefined();
  });

  it('finds equal rules whatever the order of their members, among thousands and with pauses', () => {
    const many = Array.from({ length: 5000 }, (_, i) => `r${i}`);
    const [b, a] = [role('b', 'x', ...many), role('a', 'x', ...many)];
    const turned = many.map((resource) => ({ resources: [resource], apiGroups: [''], verbs: ['get'] }));
    const steps = aggregationSteps(collector(['x', 'x']), [b, { ...a, rules: turned }]);
    const pauses = [...steps].length;
    expect(pauses).toBeGreaterThan(30);
    expect(collected(collector(['x', 'x']), b, { ...a, rules: turned })).toEqual(many);
  });
});
