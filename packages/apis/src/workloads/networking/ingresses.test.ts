import { type ApiObject, fieldErrorText, kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { ingresses } from './ingresses.ts';

const backend = { service: { name: 's', port: { number: 80 } } };
const ingress = (spec: object): ApiObject =>
  ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'i' },
    spec: { defaultBackend: backend, ...spec },
  }) as unknown as ApiObject;

describe.each([kubernetesVocabulary, orchVocabulary])('an ingress', (vocabulary) => {
  const { strategy } = ingresses(vocabulary);
  const fields = (spec: object, stored?: object): readonly string[] =>
    (stored
      ? (strategy.validateUpdate?.(ingress(spec), ingress(stored)) ?? [])
      : (strategy.validate?.(ingress(spec)) ?? [])
    ).map((error) => fieldErrorText(error).split(': ').slice(0, 3).join(': '));

  it('names hosts of certificates, also with a wildcard', () => {
    expect(fields({ tls: [{ hosts: ['a.example', '*.b.example'] }, { hosts: [] }, {}] })).toEqual([]);
    expect(fields({ tls: [{ hosts: ['a/b'] }, { hosts: ['a.*'] }] })).toEqual([
      'spec.tls[0].hosts[0]: Invalid value: "a/b"',
      expect.stringContaining('spec.tls[1].hosts[0]: Invalid value: "a.*"'),
    ]);
  });

  it('names secrets, unless it already had an invalid name', () => {
    const tls = [{ secretName: 'A' }];
    expect(fields({ tls })).toEqual(['spec.tls[0].secretName: Invalid value: "A"']);
    expect(fields({ tls }, {})).toEqual(['spec.tls[0].secretName: Invalid value: "A"']);
    expect(fields({ tls }, { tls: [{ secretName: 'B' }] })).toEqual([]);
  });

  it('names the group of a resource as a domain, if at all', () => {
    const resource = { kind: 'K', name: 'n' };
    expect(fields({ defaultBackend: { resource } })).toEqual([]);
    // as it is decoded without one
    expect(fields({ defaultBackend: { resource: { ...resource, apiGroup: null } } })).toEqual([]);
    expect(fields({ defaultBackend: { resource: { ...resource, apiGroup: '' } } })).toEqual([
      'spec.defaultBackend.resource.apiGroup: Invalid value: ""',
    ]);
  });
});
