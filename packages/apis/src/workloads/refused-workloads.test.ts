import { type JsonObject, kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { causesOf, InMemoryResource } from '../types/in-memory-resource.fixture.ts';
import { patternOf, recordedRefusals } from './recorded-refusals.fixture.ts';
import { workloadResources } from './workload-resources.ts';

describe.each([
  ['kubernetes', kubernetesVocabulary],
  ['orch', orchVocabulary],
])('objects in vocabulary %s', (_name, vocabulary) => {
  const kinds = new Map(
    workloadResources(vocabulary).map((definition) => [definition.names.kind, definition]),
  );
  const translated = (text: string): string =>
    text.replaceAll('kubernetes.io/', `${vocabulary.labelDomain}/`);

  it.each(
    recordedRefusals('workloads.jsonl').map(
      ({ kind, object, causes }) => [String(kind), JSON.stringify(object), causes] as const,
    ),
  )('are refused as on the reference: %s %s', async (kind, text, causes) => {
    const definition = kinds.get(kind);
    if (!definition) throw new Error(`no kind ${kind}`);
    const object = JSON.parse(translated(text)) as JsonObject;
    const given = { metadata: { name: 'a' }, ...object };
    const found = await causesOf(new InMemoryResource(definition).create(given));
    expect(found).toHaveLength(causes.length);
    for (const [index, cause] of causes.entries()) expect(found[index]).toMatch(patternOf(translated(cause)));
  });
});
