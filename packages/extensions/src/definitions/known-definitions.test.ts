import { describe, expect, it } from 'vitest';
import type { CustomResourceDefinition } from './custom-resource-definition.ts';
import { widgets } from './definition.fixture.ts';
import { FollowedDefinitions } from './known-definitions.ts';

const named = (group: string, plural: string): CustomResourceDefinition =>
  widgets({ group, names: { plural } }, { metadata: { name: `${plural}.${group}` } });
const widgetsHere = named('example.com', 'widgets');
const gadgetsHere = named('example.com', 'gadgets');
const widgetsThere = named('example.org', 'widgets');

function known(): FollowedDefinitions {
  const definitions = new FollowedDefinitions();
  for (const each of [widgetsHere, gadgetsHere, widgetsThere])
    definitions.set(each.metadata.name ?? '', each);
  return definitions;
}

const established = (definition: CustomResourceDefinition): CustomResourceDefinition => ({
  ...definition,
  status: { ...definition.status, acceptedNames: definition.spec.names },
});

describe('known definitions', () => {
  it('compete for names only within their group', () => {
    expect(known().namelessOthersOf('example.com', 'widgets.example.com')).toEqual(['gadgets.example.com']);
    expect(known().namelessOthersOf('example.org', 'widgets.example.org')).toEqual([]);
  });

  it('wait for names until they have got all', () => {
    const definitions = known();
    definitions.set('gadgets.example.com', established(gadgetsHere));
    expect(definitions.namelessOthersOf('example.com', '')).toEqual(['widgets.example.com']);
  });

  it('are removed from their group, too, when they are deleted', () => {
    const definitions = known();
    definitions.set('gadgets.example.com', established(gadgetsHere));
    definitions.delete('gadgets.example.com');
    definitions.delete('nobody.example.com');
    expect(definitions.get('gadgets.example.com')).toBeUndefined();
    expect(definitions.namelessOthersOf('example.com', 'widgets.example.com')).toEqual([]);
    expect(definitions.namesInUse(widgetsHere).resources.has('gadgets')).toBe(false);
  });

  it('use the names of their last status', () => {
    const definitions = known();
    definitions.set('gadgets.example.com', established(gadgetsHere));
    expect(definitions.namesInUse(widgetsHere).resources.has('gadgets')).toBe(true);
    expect(definitions.namesInUse(widgetsThere).resources.has('gadgets')).toBe(false);
    definitions.set('gadgets.example.com', gadgetsHere);
    expect(definitions.namesInUse(widgetsHere).resources.has('gadgets')).toBe(false);
    expect(definitions.get('gadgets.example.com')).toBe(gadgetsHere);
  });

  it('use their own names as given, not as followed', () => {
    const definitions = known();
    definitions.set('widgets.example.com', established(widgetsHere));
    expect(definitions.namesInUse(widgetsHere).resources.has('widgets')).toBe(false);
    expect(definitions.namesInUse(established(widgetsHere)).resources.has('widgets')).toBe(true);
    // both have it: one of them is another one
    definitions.set('gadgets.example.com', established(widgetsHere));
    expect(definitions.namesInUse(widgetsHere).resources.has('widgets')).toBe(true);
  });

  it('can be cleared', () => {
    const definitions = known();
    definitions.clear();
    expect(definitions.get('widgets.example.com')).toBeUndefined();
    expect(definitions.namelessOthersOf('example.com', '')).toEqual([]);
  });
});
