import { type JsonValue, runAtOnce } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { resourcesInAggregatedSteps, resourcesInPlainSteps } from './discovered-resources.ts';

const resourcesInAggregated = (document: JsonValue, group: string, version: string) =>
  runAtOnce(resourcesInAggregatedSteps(document, group, version));
const resourcesInPlain = (document: JsonValue) => runAtOnce(resourcesInPlainSteps(document));

describe('resources of another server', () => {
  const things = {
    resource: 'things',
    responseKind: { group: 'g', version: 'v1', kind: 'Thing' },
    scope: 'Namespaced',
    singularResource: 'thing',
    verbs: ['get'],
    shortNames: ['th'],
    categories: ['all'],
    subresources: [
      { subresource: 'status', responseKind: { group: '', version: '', kind: 'Thing' }, verbs: [] },
    ],
  };
  const document = (resources: unknown) =>
    ({ items: [{ metadata: { name: 'g' }, versions: [{ version: 'v1', resources }] }] }) as never;

  it('are those of the version', () => {
    expect(resourcesInAggregated(document([things]), 'g', 'v1')).toEqual([things]);
    expect(resourcesInAggregated(document([things]), 'g', 'v2')).toBeUndefined();
    expect(resourcesInAggregated(document([things]), 'h', 'v1')).toBeUndefined();
  });

  it.each([
    [1, []],
    [[1, null, { resource: 7 }], []],
    [
      [
        {
          resource: 'a',
          verbs: [1, 'get', {}],
          shortNames: 'x',
          scope: 3,
          responseKind: [],
          subresources: [2],
        },
      ],
      [
        {
          resource: 'a',
          responseKind: { group: '', version: '', kind: '' },
          scope: 'Cluster',
          singularResource: '',
          verbs: ['get'],
        },
      ],
    ],
  ])('have the form of resources, whatever is sent: %j', (sent, found) => {
    expect(resourcesInAggregated(document(sent), 'g', 'v1')).toEqual(found);
  });

  it('always have a kind, as their subresources have', () => {
    const sent = [{ resource: 'a', subresources: [{ subresource: 'status' }] }];
    const kind = { group: '', version: '', kind: '' };
    expect(resourcesInAggregated(document(sent), 'g', 'v1')).toMatchObject([
      { responseKind: kind, subresources: [{ responseKind: kind }] },
    ]);
  });

  it('are those of the last entry, if there are several', () => {
    const entry = (resource: string) => ({
      metadata: { name: 'g' },
      versions: [{ version: 'v1', resources: [{ resource }] }],
    });
    const other = { metadata: { name: 'g' }, versions: [{ version: 'v2', resources: [] }] };
    const items = [entry('a'), entry('b'), other];
    expect(resourcesInAggregated({ items } as never, 'g', 'v1')).toMatchObject([{ resource: 'b' }]);
  });

  it('are converted from a plain document without a kind', () => {
    expect(resourcesInPlain({ resources: [{ name: 'a' }] })).toMatchObject([{ resource: 'a' }]);
    expect(resourcesInPlain({ kind: 'Status' })).toBeUndefined();
  });

  it.each([[null], [1], ['x'], [[]], [{ items: 1 }], [{ items: [{ versions: 1 }] }]])(
    'are none in %j',
    (sent) => {
      expect(resourcesInAggregated(sent as never, 'g', 'v1')).toBeUndefined();
      expect(resourcesInPlain(sent as never)).toBeUndefined();
    },
  );

  it('are converted from the plain form, with what it says of kinds', () => {
    const resources = [
      { name: 'things', singularName: 'thing', namespaced: true, kind: 'Thing', verbs: ['get'] },
      { name: 'things/status', singularName: '', namespaced: true, kind: 'Thing', verbs: ['update'] },
      { name: 'others/status', kind: 'Other' },
    ];
    expect(resourcesInPlain({ kind: 'APIResourceList', resources })).toEqual([
      {
        resource: 'things',
        responseKind: { group: '', version: '', kind: 'Thing' },
        scope: 'Namespaced',
        singularResource: 'thing',
        verbs: ['get'],
        subresources: [
          {
            subresource: 'status',
            responseKind: { group: '', version: '', kind: 'Thing' },
            verbs: ['update'],
          },
        ],
      },
    ]);
  });

  it('are read with pauses', () => {
    const entries = Array.from({ length: 10_000 }, (_, i) => ({ resource: `r${i}`, name: `r${i}` }));
    const aggregated = document(entries);
    expect([...resourcesInAggregatedSteps(aggregated, 'g', 'v1')].length).toBeGreaterThan(8);
    const groups = { items: [...entries, ...(aggregated as { items: JsonValue[] }).items] };
    expect([...resourcesInAggregatedSteps(groups, 'g', 'v2')].length).toBeGreaterThan(8);
    const plain = { kind: 'APIResourceList', resources: entries };
    expect([...resourcesInPlainSteps(plain)].length).toBeGreaterThan(8);
  });
});
