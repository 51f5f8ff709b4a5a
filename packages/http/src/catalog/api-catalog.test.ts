import { orchVocabulary } from '@ashlar/core';
import type { ResourceDefinition, ResourceStorage } from '@ashlar/registry';
import { describe, expect, it } from 'vitest';
import { notes, widgets } from '../testing/test-resources.fixture.ts';
import { ApiCatalog } from './api-catalog.ts';

const storage = {} as ResourceStorage;
const inGroup = (group: string): ResourceDefinition => ({ ...widgets, group });

describe('the groups of a catalog', () => {
  it('are in the order of discovery after each change', () => {
    const catalog = new ApiCatalog(orchVocabulary);
    expect(catalog.groups()).toEqual([]);
    const [b, a] = [inGroup('b.example.com'), inGroup('a.example.com')];
    catalog.add(b, storage);
    catalog.add(notes, storage);
    expect(catalog.groups()).toEqual(['', 'b.example.com']);
    catalog.add(a, storage);
    expect(catalog.groups()).toEqual(['', 'a.example.com', 'b.example.com']);
    catalog.remove(b);
    expect(catalog.groups()).toEqual(['', 'a.example.com']);
    catalog.replace(a, inGroup('c.example.com'), storage, false);
    expect(catalog.groups()).toEqual(['', 'c.example.com']);
  });
});
