import { type ApiObject, orchVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import type { ApiServiceSpec } from './api-service.ts';
import { apiServices } from './api-services.ts';

const definition = apiServices(orchVocabulary);
const [version] = definition.versions;
const service = (spec: object, name = 'v1.example.com'): ApiObject =>
  ({
    apiVersion: 'apiregistration.orch.io/v1',
    kind: 'APIService',
    metadata: { name, creationTimestamp: '2024-01-02T03:04:05Z' },
    spec: { group: 'example.com', version: 'v1', groupPriorityMinimum: 10, versionPriority: 1, ...spec },
  }) as ApiObject;
const errors = (spec: object, name?: string): unknown[] =>
  (definition.strategy.validate?.(service(spec, name)) ?? []).map(({ field }) => field);
const backend = { name: 'a', namespace: 'b', port: 443 };

describe('apiServices', () => {
  it('are cluster-scoped', () => {
    expect(definition).toMatchObject({
      group: 'apiregistration.orch.io',
      scope: 'Cluster',
      names: { plural: 'apiservices', kind: 'APIService', categories: ['api-extensions'] },
    });
  });

  it.each<[Partial<ApiServiceSpec>, string[], string?]>([
    [{}, []],
    [{ group: '' }, [], 'v1.'],
    [{ group: '', version: 'v2' }, ['spec.group'], 'v2.'],
    [{ version: 'V1' }, ['spec.version'], 'V1.example.com'],
    [{ group: 'Up' }, ['spec.group'], 'v1.Up'],
    [{ groupPriorityMinimum: 0, versionPriority: 0 }, ['spec.groupPriorityMinimum', 'spec.versionPriority']],
    [{ groupPriorityMinimum: 20_000, versionPriority: 1_000 }, []],
    [
      { groupPriorityMinimum: 20_001, versionPriority: 1_001 },
      ['spec.groupPriorityMinimum', 'spec.versionPriority'],
    ],
    [{ caBundle: 'YQ==', insecureSkipTLSVerify: true }, ['spec.caBundle', 'spec.insecureSkipTLSVerify']],
    [{ service: { port: 1 } }, ['spec.service.namespace', 'spec.service.name']],
    [{ service: { ...backend, port: 0 } }, ['spec.service.port']],
    [{ service: backend, caBundle: 'YQ==', insecureSkipTLSVerify: true }, ['spec.insecureSkipTLSVerify']],
    [{ service: backend }, []],
    [{ service: backend, group: '' }, ['spec.service'], 'v1.'],
    [{ service: backend, group: 'apiregistration.orch.io' }, ['spec.service'], 'v1.apiregistration.orch.io'],
  ])('are validated: %j', (spec, fields, name) => {
    expect(errors(spec, name)).toEqual(fields);
  });

  it('are named by their version and group, which is said before other metadata', () => {
    const why = 'must be `spec.version+"."+spec.group`: "v1.example.com"';
    const { strategy } = definition;
    expect(strategy.validateName('other', false, service({}, 'other'))).toEqual([why]);
    expect(strategy.validateName('v1.example.com', false, service({}))).toEqual([]);
    expect(strategy.validateName('..', true, service({}))).toEqual(["may not be '..'"]);
    expect(strategy.validateName('a/b', false, service({}, 'a/b'))).toEqual(["may not contain '/'"]);
  });

  it('are available immediately', () => {
    expect(definition.strategy.prepareForCreate?.(service({}))).toMatchObject({
      status: {
        conditions: [{ status: 'True', lastTransitionTime: '2024-01-02T03:04:05Z', reason: 'Local' }],
      },
    });
  });

  it('keep their status, and status updates keep the rest', () => {
    const status = { conditions: [{ type: 'Available', status: 'False' }] };
    const stored = { ...service({}), status } as ApiObject;
    expect(definition.strategy.prepareForUpdate?.(service({ versionPriority: 2 }), stored)).toMatchObject({
      spec: { versionPriority: 2 },
      status,
    });
    const [through] = version?.subresources ?? [];
    const submitted = {
      ...service({ versionPriority: 2 }),
      status: { conditions: [{ type: 'A', status: 'no' }] },
    };
    const next = through?.prepareForUpdate(submitted as ApiObject, stored, '2026-01-01T00:00:00Z');
    expect(next).toMatchObject({ spec: { versionPriority: 1 }, status: submitted.status });
    expect(through?.validateUpdate?.(next as ApiObject, stored)).toMatchObject([
      { field: 'status.conditions[0].status' },
    ]);
  });

  it('default to port 443, and show their server', () => {
    const other = version?.complete?.(service({ service: { name: 'a', namespace: 'b' } })) as ApiObject;
    expect(other).toMatchObject({ spec: { service: { port: 443 } } });
    const cells = (object: ApiObject): unknown[] =>
      (version?.columns ?? []).slice(0, 3).map((column) => column.cell(object, 0));
    expect(cells(other)).toEqual(['v1.example.com', 'b/a', 'Unknown']);
    const without = { ...other, status: { conditions: [{ type: 'Available', status: 'False' }] } };
    expect(cells(without as ApiObject)).toEqual(['v1.example.com', 'b/a', 'False']);
    const local = definition.strategy.prepareForCreate?.(service({})) as ApiObject;
    expect(cells(local)).toEqual(['v1.example.com', 'Local', 'True']);
  });
});
