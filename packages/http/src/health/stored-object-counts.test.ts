import { type MaybePromise, Metrics, orchVocabulary } from '@ashlar/core';
import type { ResourceDefinition, ResourceStorage } from '@ashlar/registry';
import { describe, expect, it } from 'vitest';
import { ApiCatalog } from '../catalog/api-catalog.ts';
import { notes, widgets } from '../testing/test-resources.fixture.ts';
import { StoredObjectCounts } from './stored-object-counts.ts';

const WIDGETS = `widgets.${widgets.group}`;

function counting() {
  const catalog = new ApiCatalog(orchVocabulary);
  const metrics = new Metrics();
  const counts = new StoredObjectCounts(metrics, catalog);
  const serve = (definition: ResourceDefinition, count?: () => MaybePromise<number>): void => {
    const storage: ResourceStorage = count ? { count } : {};
    catalog.add(definition, storage);
  };
  const lines = (): readonly string[] =>
    [...metrics.text().matchAll(/^apiserver_storage_objects\{resource="(.+)"\} (.+)$/gm)].map(
      ([, resource, value]) => `${resource} ${value}`,
    );
  return { catalog, metrics, counts, serve, lines };
}

describe('the number of stored objects', () => {
  it('is counted when metrics are collected, by resource, for each that is stored', () => {
    const { serve, lines, metrics } = counting();
    let stored = 2;
    serve(widgets, () => stored);
    serve(notes);
    expect(metrics.text()).toContain('# TYPE apiserver_storage_objects gauge\n');
    expect(lines()).toEqual([`${WIDGETS} 2`]);
    stored = 5;
    metrics.reset();
    expect(lines()).toEqual([`${WIDGETS} 5`]);
  });

  it('is one of types that share their objects', () => {
    const { serve, lines } = counting();
    serve(widgets, () => 3);
    serve({ ...notes, storedAs: WIDGETS }, () => 3);
    expect(lines()).toEqual([`${WIDGETS} 3`]);
  });

  it('is that of the last time if the store takes a while, which is asked once at a time', async () => {
    const { counts, serve, lines } = counting();
    const asked: ((value: number) => void)[] = [];
    serve(widgets, () => new Promise((resolve) => void asked.push(resolve)));
    counts.count();
    expect(lines()).toEqual([]);
    asked[0]?.(4);
    await Promise.resolve();
    expect(lines()).toEqual([`${WIDGETS} 4`]);
    expect(lines()).toEqual([`${WIDGETS} 4`]);
    expect(asked).toHaveLength(2);
  });

  it('is -1 if the store fails', async () => {
    const { counts, serve, lines } = counting();
    serve(widgets, () => Promise.reject(new Error('gone')));
    serve(notes, () => {
      throw new Error('gone');
    });
    counts.count();
    await new Promise((resolve) => setImmediate(resolve));
    expect([...lines()].sort()).toEqual(['notes -1', `${WIDGETS} -1`]);
  });

  it('vanishes with its type', () => {
    const { catalog, serve, lines } = counting();
    serve(widgets, () => 1);
    expect(lines()).toHaveLength(1);
    catalog.remove(widgets);
    expect(lines()).toEqual([]);
  });
});
