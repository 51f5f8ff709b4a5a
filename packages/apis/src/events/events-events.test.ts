import { kubernetesVocabulary } from '@ashlar/core';
import { compileTyped } from '@ashlar/schema';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { causesOf, emptyStore, InMemoryResource } from '../types/in-memory-resource.fixture.ts';
import { events } from './events.ts';
import { fromStoredEvent, newEvents, toStoredEvent } from './events-events.ts';

const body = {
  metadata: { name: 'a' },
  eventTime: '2024-01-02T03:03:35.000000Z',
  reportingController: 'example.com/judge',
  reportingInstance: 'j1',
  action: 'Judging',
  reason: 'Made',
  regarding: { kind: 'ConfigMap', namespace: 'default', name: 'a' },
  note: 'made it',
  type: 'Normal',
};
let resource: InMemoryResource;
let core: InMemoryResource;

beforeEach(() => {
  const store = emptyStore();
  resource = new InMemoryResource(newEvents(kubernetesVocabulary), store);
  core = new InMemoryResource(events(kubernetesVocabulary), store);
});

describe('events of the newer group', () => {
  it('are those of the core group with other field names', async () => {
    const made = await resource.create(body);
    expect(made).toMatchObject({ ...body, apiVersion: 'events.k8s.io/v1', deprecatedSource: {} });
    expect(await core.get('a')).toMatchObject({
      apiVersion: 'v1',
      involvedObject: body.regarding,
      message: 'made it',
      reportingComponent: 'example.com/judge',
      source: {},
      firstTimestamp: null,
    });
    expect(core.cells(await core.get('a'))).toEqual(resource.cells(made));
  });

  it('have their metadata checked after what both groups require, and of the core group last', async () => {
    const metadata = { name: 'a', ownerReferences: [{ apiVersion: 'v1', kind: 'X', uid: 'u' }] };
    const owner = expect.stringMatching(/^metadata\.ownerReferences\.name: /);
    expect(await causesOf(resource.create({ ...body, metadata, reason: '', type: 'X' }))).toEqual([
      expect.stringMatching(/^reason: Required/),
      owner,
      expect.stringMatching(/^type: /),
    ]);
    const involvedObject = { kind: 'Node', namespace: 'other', name: 'n' };
    expect(await causesOf(core.create({ metadata, involvedObject }))).toEqual([
      expect.stringMatching(/^involvedObject\.namespace: /),
    ]);
    expect(
      await causesOf(core.create({ metadata, involvedObject: { ...involvedObject, namespace: 'default' } })),
    ).toEqual([owner]);
  });

  it('show events of older reporters', async () => {
    const source = { component: 'watcher' };
    await core.create({
      metadata: { name: 'a' },
      involvedObject: { kind: 'Node', name: 'n' },
      source,
      count: 4,
      message: 'm',
    });
    expect(await resource.get('a')).toMatchObject({
      regarding: { kind: 'Node', name: 'n' },
      deprecatedSource: source,
      deprecatedCount: 4,
      note: 'm',
      eventTime: null,
    });
  });

  it('are selected by their own fields', async () => {
    await resource.create(body);
    await core.create({
      metadata: { name: 'b' },
      involvedObject: { kind: 'Node' },
      reportingComponent: 'other',
      type: 'Warning',
    });
    expect(await resource.select('regarding.kind=ConfigMap,reportingController=example.com/judge')).toEqual([
      'a',
    ]);
    expect(await resource.select('type=Warning')).toEqual(['b']);
    await expect(resource.select('involvedObject.kind=Node')).rejects.toThrow(
      'field label not supported: involvedObject.kind',
    );
  });

  it('are named without their group where a precondition fails', async () => {
    await resource.create(body);
    await expect(resource.delete('a', { preconditions: { uid: 'other' } })).rejects.toThrow(
      /^Operation cannot be fulfilled on Event "a": the UID in the precondition \(other\)/,
    );
  });

  it('require a time and a type', async () => {
    const refused = resource.create({ metadata: { name: 'a' }, regarding: body.regarding });
    expect(await causesOf(refused)).toEqual([
      'eventTime: Required value',
      'type: Invalid value: "": has invalid value: ',
    ]);
  });

  it('reject deprecated fields, and name stored ones in errors', async () => {
    const refused = resource.create({
      ...body,
      type: 'Odd',
      series: { count: 1, lastObservedTime: null },
      deprecatedCount: 2,
      deprecatedSource: { host: 'h' },
      deprecatedFirstTimestamp: '2024-01-02T03:03:35Z',
      deprecatedLastTimestamp: '2024-01-02T03:03:35Z',
    });
    expect(await causesOf(refused)).toEqual([
      'series.count: Invalid value: "": should be at least 2',
      'series.lastObservedTime: Required value',
      'type: Invalid value: "": has invalid value: Odd',
      'firstTimestamp: Invalid value: "": needs to be unset',
      'lastTimestamp: Invalid value: "": needs to be unset',
      'count: Invalid value: "": needs to be unset',
      'source: Invalid value: "": needs to be unset',
    ]);
  });

  it('allow changes of their series only', async () => {
    await resource.create(body);
    const series = { count: 2, lastObservedTime: '2024-01-02T03:04:05.000000Z' };
    expect(await resource.replace('a', { ...body, series })).toMatchObject({ series });
    const changed = {
      ...body,
      series,
      regarding: { name: 'b' },
      note: 'n',
      action: 'Other',
      reportingController: 'x',
    };
    const late = await causesOf(resource.replace('a', { ...body, eventTime: '2024-01-02T03:03:36.500000Z' }));
    expect(late).toEqual(['eventTime: Invalid value: 2024-01-02 03:03:36.5 +0000 UTC: field is immutable']);
    const causes = await causesOf(resource.replace('a', changed));
    expect(causes.map((cause) => cause.split(':')[0])).toEqual([
      'involvedObject',
      'message',
      'action',
      'reportingController',
    ]);
    expect(causes).toContain('action: Invalid value: "Other": field is immutable');
    const related = await causesOf(resource.replace('a', { ...body, related: {} }));
    expect(related).toEqual([expect.stringMatching(/^related: Invalid value: .*: field is immutable$/)]);
  });

  it('are created by PUT', async () => {
    expect(await resource.replace('a', body)).toMatchObject(body);
  });

  it('survive the conversion to the stored form and back', () => {
    const text = fc.string();
    const time = fc.constantFrom(null, '2024-01-02T03:03:35Z');
    const micro = fc.constantFrom(null, '2024-01-02T03:03:35.000001Z');
    const reference = fc.record({ kind: text, name: text, uid: text }, { requiredKeys: [] });
    const event = fc.record(
      {
        eventTime: micro,
        series: fc.record({ count: fc.nat(), lastObservedTime: micro }),
        reportingController: text,
        reportingInstance: text,
        action: text,
        reason: text,
        regarding: reference,
        related: reference,
        note: text,
        type: text,
        deprecatedSource: fc.record({ component: text, host: text }, { requiredKeys: [] }),
        deprecatedFirstTimestamp: time,
        deprecatedLastTimestamp: time,
        deprecatedCount: fc.nat(),
      },
      { requiredKeys: [] },
    );
    const apiVersion = 'events.k8s.io/v1';
    const [ours] = newEvents(kubernetesVocabulary).versions;
    const [theirs] = events(kubernetesVocabulary).versions;
    if (!ours || !theirs) throw new Error('a kind without versions');
    const decode = compileTyped(ours.schema);
    const decodeStored = compileTyped(theirs.schema);
    fc.assert(
      fc.property(event, (fields) => {
        const value = {
          kind: 'Event',
          apiVersion,
          metadata: { name: 'a', creationTimestamp: null },
          ...fields,
        };
        const printed = decode.decode(value, () => {}) as unknown as Parameters<typeof toStoredEvent>[0];
        const stored = toStoredEvent(printed);
        // The stored form is what the core group itself would print, key by key; so is the reverse.
        expect(JSON.stringify(decodeStored.decode(JSON.parse(JSON.stringify(stored)), () => {}))).toBe(
          JSON.stringify(stored),
        );
        expect(JSON.stringify(fromStoredEvent(stored, apiVersion))).toBe(JSON.stringify(printed));
      }),
    );
  });
});
