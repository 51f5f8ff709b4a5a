import {
  type ApiObject,
  fieldErrorText,
  type JsonObject,
  kubernetesVocabulary,
  orchVocabulary,
  runAtOnce,
} from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { causesOf, InMemoryResource } from '../../types/in-memory-resource.fixture.ts';
import { ingressClasses } from './ingress-classes.ts';
import { ingresses } from './ingresses.ts';

const backend = { service: { name: 's', port: { number: 80 } } };
const ingress = (spec: object): ApiObject =>
  ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'i' },
    spec: { defaultBackend: backend, ...spec },
  }) as unknown as ApiObject;

describe('the host of an ingress', () => {
  it.each<[string, readonly RegExp[]]>([
    ['10.0.0.1', [/must be a DNS name, not an IP address/]],
    ['::1', [/must be a DNS name, not an IP address/, /a lowercase RFC 1123 subdomain/]],
  ])('is a name: %s', async (host, expected) => {
    const resource = new InMemoryResource(ingresses(kubernetesVocabulary));
    const spec = { rules: [{ host }] };
    const causes = await causesOf(resource.create(ingress(spec) as unknown as JsonObject));
    expect(causes).toEqual(expected.map((why) => expect.stringMatching(why)));
  });

  it('may begin with a wildcard', async () => {
    const resource = new InMemoryResource(ingresses(kubernetesVocabulary));
    const spec = { rules: [{ host: '*.a.b' }] };
    expect(await resource.create(ingress(spec) as unknown as JsonObject)).toMatchObject({ spec });
  });
});

describe('the class of an ingress', () => {
  const key = 'kubernetes.io/ingress.class';
  const annotated = (annotation: string): JsonObject => {
    const { metadata, ...others } = ingress({ ingressClassName: 'a' });
    const annotations = { [key]: annotation };
    return { ...others, metadata: { ...metadata, annotations } } as unknown as JsonObject;
  };

  it('is the one of its annotation where it is new', async () => {
    const resource = new InMemoryResource(ingresses(kubernetesVocabulary));
    expect(await causesOf(resource.create(annotated('b')))).toEqual([
      `annotations.${key}: Invalid value: "b": must match \`ingressClassName\` when both are specified`,
    ]);
    await resource.create(annotated('a'));
    expect((await resource.replace('i', annotated('b'))).metadata.annotations).toEqual({ [key]: 'b' });
  });
});

describe('the class of ingresses', () => {
  it('is checked for a changed controller before it is checked as a whole', async () => {
    const resource = new InMemoryResource(ingressClasses(kubernetesVocabulary));
    await resource.create({ metadata: { name: 'c' }, spec: { controller: 'a.example/c' } });
    const changed = { metadata: { name: 'c', labels: { '-': 'x' } }, spec: { controller: '' } };
    const causes = await causesOf(resource.replace('c', changed));
    expect(causes.slice(-3)).toEqual([
      'spec.controller: Invalid value: "": field is immutable',
      expect.stringMatching(/^metadata\.labels: /),
      'spec.controller: Required value',
    ]);
  });

  it('has parameters with a scope that is one of two, and the same controller for ever', () => {
    const { strategy } = ingressClasses(kubernetesVocabulary);
    const of = (spec: object): ApiObject => ({ ...ingress({}), spec }) as ApiObject;
    const parameters = { kind: 'K', name: 'n' };
    const texts = (scope?: string): readonly string[] =>
      (
        strategy.validate?.(of({ controller: 'a.example/c', parameters: { ...parameters, scope } })) ?? []
      ).map(fieldErrorText);
    expect(texts()).toEqual(['spec.parameters.scope: Required value']);
    expect(texts('')).toEqual([expect.stringMatching(/^spec\.parameters\.scope: Unsupported value: ""/)]);
    expect(texts('Cluster')).toEqual([]);
    const changed = strategy.validateUpdate?.(of({}), of({ controller: 'a.example/c' })) ?? [];
    expect(changed.map(fieldErrorText)).toEqual(['spec.controller: Invalid value: "": field is immutable']);
    const controllerErrors = (controller: string): readonly string[] =>
      (strategy.validate?.(of({ controller })) ?? []).map(fieldErrorText);
    expect(controllerErrors('')).toEqual(['spec.controller: Required value']);
    expect(controllerErrors(`a.example/${'x'.repeat(240)}`)).toEqual([]);
    expect(controllerErrors(`a.example/${'x'.repeat(241)}`)).toEqual([
      'spec.controller: Too long: may not be more than 250 bytes',
    ]);
  });
});

describe.each([kubernetesVocabulary, orchVocabulary])('an ingress', (vocabulary) => {
  const { strategy } = ingresses(vocabulary);
  const fields = (spec: object, stored?: object): readonly string[] => {
    const steps = stored
      ? strategy.validateUpdateSteps?.(ingress(spec), ingress(stored))
      : strategy.validateSteps?.(ingress(spec));
    const errors = steps ? runAtOnce(steps) : [];
    return errors.map((error) => fieldErrorText(error).split(': ').slice(0, 3).join(': '));
  };

  it('names hosts of certificates, also with a wildcard', () => {
    expect(fields({ tls: [{ hosts: ['a.example', '*.b.example'] }, { hosts: [] }, {}] })).toEqual([]);
    expect(fields({ tls: [{ hosts: ['a/b'] }, { hosts: ['a.*'] }] })).toEqual([
      'spec.tls[0].hosts[0]: Invalid value: "a/b"',
      expect.stringContaining('spec.tls[1].hosts[0]: Invalid value: "a.*"'),
    ]);
  });

  it('is reached at addresses and names of hosts', () => {
    const status = ingresses(vocabulary).versions[0]?.subresources?.find(({ name }) => name === 'status');
    const reached = (...entries: readonly object[]): readonly string[] => {
      const object = { ...ingress({}), status: { loadBalancer: { ingress: entries } } };
      return (status?.validateUpdate?.(object, object) ?? []).map(({ field }) => field);
    };
    expect(reached({ ip: '1.2.3.4' }, { ip: '::1' }, { hostname: 'a.example' }, {})).toEqual([]);
    expect(reached({ ip: '1' }, { hostname: '1.2.3.4' }, { hostname: 'A' })).toEqual([
      'status.loadBalancer.ingress[0].ip',
      'status.loadBalancer.ingress[1].hostname',
      'status.loadBalancer.ingress[2].hostname',
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
