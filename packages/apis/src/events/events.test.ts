import { kubernetesVocabulary } from '@ashlar/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { causesOf, InMemoryResource } from '../types/in-memory-resource.fixture.ts';
import { events } from './events.ts';

const EVENT_TIME = '2024-01-02T03:03:35.500000Z';
const involvedObject = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', namespace: 'default' };
let resource: InMemoryResource;

beforeEach(() => {
  resource = new InMemoryResource(events(kubernetesVocabulary));
});

describe('core events', () => {
  it('print fields that are always printed', async () => {
    const { metadata: _, ...stored } = await resource.create({ metadata: { name: 'a' }, involvedObject });
    expect(stored).toEqual({
      kind: 'Event',
      apiVersion: 'v1',
      involvedObject: { kind: 'ConfigMap', namespace: 'default', name: 'a', apiVersion: 'v1' },
      source: {},
      firstTimestamp: null,
      lastTimestamp: null,
      eventTime: null,
      reportingComponent: '',
      reportingInstance: '',
    });
  });

  it('show their message without what is space in Go', async () => {
    const made = await resource.create({
      metadata: { name: 'a' },
      involvedObject,
      message: '\u0085 a\ufeff\u3000',
    });
    expect(resource.cells(made)[6]).toBe('a\ufeff');
  });

  it('must be in the namespace of their object; those of cluster-scoped ones in default', async () => {
    await resource.create({ metadata: { name: 'a' }, involvedObject: { kind: 'Node' } });
    const refused = resource.create({
      metadata: { name: 'b' },
      involvedObject: { ...involvedObject, namespace: 'other' },
    });
    expect(await causesOf(refused)).toEqual([
      'involvedObject.namespace: Invalid value: "other": does not match event.namespace',
    ]);
  });

  it('accept any name that is a path segment, and allow all changes', async () => {
    await resource.create({ metadata: { name: 'A_b' }, involvedObject, reason: 'Made' });
    const changed = await resource.replace('A_b', {
      metadata: { name: 'A_b' },
      involvedObject,
      reason: 'Lost',
      count: 2,
    });
    expect(changed).toMatchObject({ reason: 'Lost', count: 2 });
  });

  it('are created by PUT', async () => {
    expect(await resource.replace('a', { metadata: { name: 'a' }, involvedObject })).toMatchObject({
      metadata: { name: 'a' },
    });
  });

  it('with an exact time require a reporter', async () => {
    const refused = resource.create({
      metadata: { name: 'a' },
      involvedObject,
      eventTime: EVENT_TIME,
      reportingComponent: 'a/',
    });
    const [first, ...rest] = await causesOf(refused);
    expect(first).toBe('reportingComponent: Invalid value: "a/": name part must be non-empty');
    expect(rest.slice(1)).toEqual([
      'reportingInstance: Required value',
      'action: Required value',
      'reason: Required value',
    ]);
  });

  it('with an exact time limit the length of their texts', async () => {
    const refused = resource.create({
      metadata: { name: 'a' },
      involvedObject,
      eventTime: EVENT_TIME,
      reportingComponent: 'example.com/judge',
      reportingInstance: 'x'.repeat(129),
      action: 'x'.repeat(128),
      reason: 'ü'.repeat(65),
      message: 'x'.repeat(1025),
    });
    expect(await causesOf(refused)).toEqual([
      'reportingInstance: Invalid value: "": can have at most 128 characters',
      'reason: Invalid value: "": can have at most 128 characters',
      'message: Invalid value: "": can have at most 1024 characters',
    ]);
  });

  it('are selected by their content and object', async () => {
    await resource.create({
      metadata: { name: 'one' },
      involvedObject,
      reason: 'Made',
      type: 'Normal',
      source: { component: 'watcher' },
    });
    await resource.create({
      metadata: { name: 'two' },
      involvedObject,
      reason: 'Lost',
      type: 'Warning',
      reportingComponent: 'judge',
    });
    expect(await resource.select('involvedObject.kind=ConfigMap,type=Warning')).toEqual(['two']);
    expect(await resource.select('source=watcher')).toEqual(['one']);
    expect(await resource.select('source=judge')).toEqual(['two']);
    expect(await resource.select('reason!=Lost,involvedObject.uid=')).toEqual(['one']);
    await expect(resource.select('message=x')).rejects.toThrow('field label not supported: message');
  });

  it('show when they were seen, from the most exact time', async () => {
    const body = {
      involvedObject: { ...involvedObject, fieldPath: 'data.x' },
      reason: 'Made',
      type: 'Normal',
      message: ' made \n',
    };
    const older = await resource.create({
      metadata: { name: 'one' },
      ...body,
      firstTimestamp: '2024-01-02T02:04:05Z',
      lastTimestamp: '2024-01-02T03:03:05Z',
      count: 3,
      source: { component: 'watcher', host: 'h' },
    });
    expect(resource.cells(older)).toEqual([
      '2m30s',
      'Normal',
      'Made',
      'configmap/a',
      'data.x',
      'watcher, h',
      'made',
      '61m',
      3,
      'one',
    ]);
    const none = await resource.create({
      metadata: { name: 'two' },
      involvedObject: { kind: 'Node' },
      reportingComponent: 'judge',
    });
    expect(resource.cells(none)).toEqual([
      '<unknown>',
      '',
      '',
      'node',
      '',
      'judge',
      '',
      '<unknown>',
      1,
      'two',
    ]);
  });

  it('of a series show its count', async () => {
    const stored = await resource.create({
      metadata: { name: 'one' },
      involvedObject,
      eventTime: EVENT_TIME,
      reportingComponent: 'judge',
      reportingInstance: 'j1',
      action: 'Judging',
      reason: 'Made',
      series: { count: 7, lastObservedTime: '2024-01-02T03:05:05.000000Z' },
    });
    const [lastSeen, , , , , source, , firstSeen, count] = resource.cells(stored);
    expect([lastSeen, source, firstSeen, count]).toEqual(['30s', 'judge, j1', '119s', 7]);
  });

  it('expire after an hour, or a configured duration', () => {
    const event = { apiVersion: 'v1', kind: 'Event', metadata: {} };
    expect(events(kubernetesVocabulary).strategy.leaseSeconds?.(event)).toBe(3600);
    expect(events(kubernetesVocabulary, { eventTtlSeconds: 5 }).strategy.leaseSeconds?.(event)).toBe(5);
  });
});
