import { type ApiObject, fieldErrorText, kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { networkPolicies } from './network-policies.ts';

describe.each([kubernetesVocabulary, orchVocabulary])('a network policy', (vocabulary) => {
  const { strategy } = networkPolicies(vocabulary);
  const errors = (rule: object): readonly string[] => {
    const object = { metadata: { name: 'n' }, spec: { podSelector: {}, ingress: [rule] } };
    return (strategy.validate?.(object as unknown as ApiObject) ?? []).map(fieldErrorText);
  };
  const except = (cidr: string, ...parts: string[]): readonly string[] =>
    errors({ from: [{ ipBlock: { cidr, except: parts } }] });

  it('excepts parts of its blocks of addresses', () => {
    expect(except('10.0.0.0/8', '10.1.0.0/16', '10.255.255.255/32')).toEqual([]);
    expect(except('10.9.0.0/12', '10.1.0.0/16')).toEqual([]);
    expect(except('2001:db8::/32', '2001:db8:1::/48')).toEqual([]);
    for (const [cidr, part] of [
      ['10.0.0.0/8', '10.0.0.0/8'],
      ['10.0.0.0/8', '11.0.0.0/16'],
      ['10.16.0.0/12', '10.32.0.0/16'],
      ['10.0.0.0/8', '0.0.0.0/0'],
      ['::/0', '10.1.0.0/16'],
    ] as const)
      expect(except(cidr, part)).toEqual([
        `spec.ingress[0].from[0].ipBlock.except[0]: Invalid value: "${part}": must be a strict subset of \`cidr\``,
      ]);
  });

  it('reads IPv4 in the form of IPv6 as IPv4', () => {
    expect(except('10.9.0.0/16', '::ffff:10.9.8.7/120')).toEqual([]);
    expect(except('::ffff:10.9.0.0/112', '::ffff:10.9.8.7/120')).toEqual([]);
    expect(except('10.9.0.0/16', '::ffff:10.8.8.7/120')).toHaveLength(1);
    // of these bits of the form nothing is left that tells it
    expect(except('10.9.0.0/16', '::ffff:10.9.8.7/24')).toHaveLength(1);
    expect(except('::/0', '::ffff:10.9.8.7/120')).toHaveLength(1);
  });

  it('looks at the parts of readable blocks only', () => {
    expect(except('x', 'y')).toEqual([
      expect.stringMatching(/^spec\.ingress\[0\]\.from\[0\]\.ipBlock\.cidr: /),
    ]);
    expect(except('10.0.0.0/8', 'y')).toEqual([
      expect.stringMatching(/except\[0\]: Invalid value: "y": must be/),
    ]);
  });

  it('has one of three protocols, or none', () => {
    expect(errors({ ports: [{ port: 80 }] })).toEqual([]);
    expect(errors({ ports: [{ protocol: '', port: 80 }] })).toEqual([
      'spec.ingress[0].ports[0].protocol: Unsupported value: "": supported values: "TCP", "UDP", "SCTP"',
    ]);
  });
});
