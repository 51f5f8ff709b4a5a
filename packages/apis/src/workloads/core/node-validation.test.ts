import {
  type FieldError,
  fieldErrorText,
  kubernetesVocabulary,
  orchVocabulary,
  runAtOnce,
} from '@ashlar/core';
import { createCountedList } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import { type Node, nodeChangeErrorsSteps, nodeErrorsSteps, nodeWarnings } from './node-validation.ts';

const errorsOf = (it: Node): readonly FieldError[] => runAtOnce(nodeErrorsSteps(it, kubernetesVocabulary));
const changeErrorsOf = (it: Node, stored: Node): readonly FieldError[] =>
  runAtOnce(nodeChangeErrorsSteps(it, stored, kubernetesVocabulary));
const node = (spec: Node['spec'], status: Node['status'] = {}): Node =>
  ({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, spec, status }) as Node;
const texts = (errors: readonly FieldError[]): readonly string[] => errors.map(fieldErrorText);
const taint = { key: 'k', effect: 'NoSchedule' };

describe('a node', () => {
  it('has taints that differ in key or effect', () => {
    expect(errorsOf(node({ taints: [taint, { ...taint, effect: 'NoExecute' }] }))).toEqual([]);
    expect(texts(errorsOf(node({ taints: [taint, { ...taint, value: 'v' }] })))).toEqual([
      'metadata.taints[1]: Duplicate value: core.Taint{…}: taints must be unique by key and effect pair',
    ]);
    expect(texts(errorsOf(node({ taints: [{ ...taint, value: 'a b' }] })))).toEqual([
      expect.stringMatching(/^metadata\.taints\[0\]\.value: Invalid value: "a b": a valid label must be /),
    ]);
  });

  it.each(['capacity', 'allocatable'])(
    'has amounts of resources that are not negative, and whole where they are counted: %s',
    (part) => {
      const amounts = { cpu: '-1', pods: '1500m', memory: '1Gi', 'example.com/gpu': '100m' };
      const wrong = node({}, { [part]: amounts });
      const expected = [
        `status.${part}.cpu: Invalid value: "-1": must be greater than or equal to 0`,
        `status.${part}.pods: Invalid value: "1500m": must be an integer`,
        `status.${part}.example.com/gpu: Invalid value: "100m": must be an integer`,
      ];
      expect(texts(errorsOf(wrong))).toEqual(expected);
      expect(texts(changeErrorsOf(wrong, node({})))).toEqual(expected);
    },
  );

  it('reports each range that changed, or that there are more or fewer', () => {
    const changed = (podCIDRs: readonly string[]): readonly string[] =>
      texts(changeErrorsOf(node({ podCIDRs }), node({ podCIDRs: ['10.0.0.0/24', 'fd00::/64'] })));
    const why = 'spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid';
    expect(changed(['10.0.0.0/24', 'fd00::/64'])).toEqual([]);
    expect(changed(['10.0.1.0/24', 'fd01::/64'])).toEqual([why, why]);
    expect(changed(['10.0.1.0/24'])).toEqual([why]);
  });

  it('has one range of pod addresses for each family', () => {
    expect(errorsOf(node({ podCIDRs: ['10.0.0.0/24', 'fd00::/64'] }))).toEqual([]);
    expect(errorsOf(node({ podCIDRs: ['::ffff:10.0.0.0/120', 'fd00::/64'] }))).toEqual([]);
    expect(errorsOf(node({ podCIDRs: ['::ffff:10.0.0.0/120', '10.0.0.0/24'] }))).toHaveLength(1);
    expect(texts(errorsOf(node({ podCIDRs: ['10.0.0.0/24', '10.0.0.0/24'] })))).toEqual([
      'spec.podCIDRs: Invalid value: []string{"10.0.0.0/24", "10.0.0.0/24"}: may specify no more than one CIDR for each IP family',
      'spec.podCIDRs[1]: Duplicate value: "10.0.0.0/24"',
    ]);
    const families = 'invalid PodCIDRs. failed to check with dual stack with error';
    expect(texts(errorsOf(node({ podCIDRs: ['10.0.0.0/24', 'x'] })))).toEqual([
      expect.stringMatching(/^spec\.podCIDRs\[1\]: Invalid value: "x"/),
      `spec.podCIDRs: Internal error: ${families}:invalid CIDR[1]: <nil> (invalid CIDR address: x)`,
      expect.stringContaining('may specify no more than one CIDR for each IP family'),
    ]);
  });
});

describe('a node with ranges as long as a document', () => {
  it('has each compared once', () => {
    const ranges = Array.from({ length: 2_000 }, (_, i) => `10.0.0.0/${i}`);
    const { list: podCIDRs, reads } = createCountedList(ranges);
    expect(errorsOf(node({ podCIDRs })).length).toBeLessThan(300);
    expect(reads()).toBeLessThan(ranges.length * 20);
  });
});

describe('a node with an external id', () => {
  it('has a warning with the name of the product', () => {
    const text = (product: string): string =>
      `spec.externalID: this field is deprecated, and is unused by ${product}`;
    expect(nodeWarnings(node({ externalID: 'a' }), kubernetesVocabulary)).toEqual([text('Kubernetes')]);
    expect(nodeWarnings(node({ externalID: 'a' }), orchVocabulary)).toEqual([text('Orch')]);
    expect(nodeWarnings(node({}), orchVocabulary)).toEqual([]);
  });
});

describe('a changed node', () => {
  it('has the errors of its taints a second time', () => {
    const changed = node({ taints: [{ key: 'k' }] });
    expect(texts(changeErrorsOf(changed, node({})))).toEqual(['metadata.taints[0].effect: Required value']);
  });

  it('keeps its ranges and its provider once they are set', () => {
    const stored = node({ podCIDRs: ['10.0.0.0/24'], providerID: 'a' });
    expect(texts(changeErrorsOf(node({ providerID: 'b' }), stored))).toEqual([
      'spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid',
      'spec.providerID: Forbidden: node updates may not change providerID except from "" to valid',
    ]);
    expect(changeErrorsOf(stored, node({}))).toEqual([]);
  });

  it('keeps its external id', () => {
    expect(texts(changeErrorsOf(node({ externalID: 'a' }), node({})))).toEqual([
      'spec.externalID: Forbidden: may not be updated',
    ]);
  });

  it('has each address once', () => {
    const address = { type: 'InternalIP', address: '10.1.2.3' };
    const addresses = [address, { ...address, type: 'ExternalIP' }, address];
    expect(texts(changeErrorsOf(node({}, { addresses }), node({})))).toEqual([
      'status.addresses[2]: Duplicate value: core.NodeAddress{…}',
    ]);
  });
});
