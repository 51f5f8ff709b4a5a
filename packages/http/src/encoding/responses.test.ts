import { orchVocabulary } from '@ashlar/core';
import { expect, it } from 'vitest';
import { CountedTurns } from '../testing/counted-turns.fixture.ts';
import { createTestApi, toRequest } from '../testing/test-api.fixture.ts';
import { concatenated } from './concatenated.ts';

const NOTES = '/api/v1/namespaces/x/notes';
const TAGS = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`t${i}`, `value ${i}`]));

it.each([
  ['YAML', '', 'application/yaml'],
  ['indented JSON', '?pretty=true', 'application/json'],
  ['Protobuf', '', orchVocabulary.protobufMediaType],
  ['a table', '', 'application/json;as=Table;g=meta.orch.io;v=v1'],
])('a large object in %s is encoded in slices, with the same result', async (_, query, accept) => {
  const counted = new CountedTurns();
  counted.step = 0;
  const api = createTestApi({ ambient: counted.ambient });
  await api.ask('POST', NOTES, { metadata: { name: 'n' }, text: 'y', tags: TAGS });
  const ask = async (): Promise<string> => {
    const { body } = await api.handler(toRequest('GET', `${NOTES}/n${query}`, { headers: { accept } }));
    counted.turns = 0;
    const bytes = body instanceof Uint8Array ? body : concatenated(body as readonly Uint8Array[]);
    return new TextDecoder('latin1').decode(bytes);
  };
  const whole = await ask();
  counted.step = 100;
  const { status } = await api.handler(toRequest('GET', `${NOTES}/n${query}`, { headers: { accept } }));
  expect([status, counted.turns > 0]).toEqual([200, true]);
  expect((await ask()) === whole).toBe(true);
});
