import { kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { addressWarnings, cidrWarnings } from './address-warnings.ts';

describe('warnings of addresses', () => {
  it('say what newer parsers refuse, in their words', () => {
    expect(addressWarnings('spec.a', 'a.example/x', kubernetesVocabulary)).toEqual([
      'spec.a: IP address was accepted, but will be invalid in a future Kubernetes release: ParseAddr("a.example/x"): unexpected character (at "a.example/x")',
    ]);
    expect(addressWarnings('spec.a', '01.2.3.4', orchVocabulary)).toEqual([
      expect.stringMatching(/future Orch release: .*octet with leading zero$/),
    ]);
    expect(cidrWarnings('spec.b', '10.0.0.0/08', kubernetesVocabulary)).toEqual([
      expect.stringMatching(/^spec.b: IP prefix was accepted, .*bad bits after slash: "08"$/),
    ]);
  });

  it('show the canonical form of IPv6', () => {
    const [warning] = addressWarnings('spec.a', '::FFFF:1.2.3.4', kubernetesVocabulary);
    expect(warning).toContain('is not in RFC 5952 canonical format ("::ffff:1.2.3.4")');
    expect(cidrWarnings('spec.b', '2001:DB8::/32', kubernetesVocabulary)[0]).toContain('("2001:db8::/32")');
  });

  it('are not about canonical forms', () => {
    for (const text of ['1.2.3.4', '::1', '::ffff:1.2.3.4'])
      expect(addressWarnings('spec.a', text, kubernetesVocabulary)).toEqual([]);
    expect(cidrWarnings('spec.b', '10.0.0.0/8', kubernetesVocabulary)).toEqual([]);
  });
});
