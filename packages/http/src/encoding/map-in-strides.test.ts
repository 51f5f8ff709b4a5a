import { orchVocabulary } from '@ashlar/core';
import { expect, it } from 'vitest';
import { CountedTurns } from '../testing/counted-turns.fixture.ts';
import { createTestApi, toRequest } from '../testing/test-api.fixture.ts';

const NOTES = '/api/v1/namespaces/x/notes';
const TABLE = 'application/json;as=Table;g=meta.orch.io;v=v1';
const METADATA = 'as=PartialObjectMetadataList;g=meta.orch.io;v=v1';

const FORMS: readonly (readonly [name: string, query: string, accept: string])[] = [
  ['JSON', '', 'application/json'],
  ['indented JSON', '?pretty=true', 'application/json'],
  ['YAML', '', 'application/yaml'],
  ['Protobuf', '', orchVocabulary.protobufMediaType],
  ['a table', '', TABLE],
  ['an indented table', '?pretty=true', TABLE],
  ['metadata', '', `application/json;${METADATA}`],
  ['indented metadata', '?pretty=true', `application/json;${METADATA}`],
  ['metadata in Protobuf', '', `${orchVocabulary.protobufMediaType};${METADATA}`],
];

it.each(FORMS)('a long list in %s is encoded in slices', async (_, query, accept) => {
  const counted = new CountedTurns();
  const api = createTestApi({ ambient: counted.ambient });
  for (let i = 0; i < 2000; i++)
    await api.ask('POST', NOTES, { metadata: { name: `n${i}` }, text: 'x'.repeat(1000) });
  counted.turns = 0;
  const { status, body } = await api.handler(toRequest('GET', NOTES + query, { headers: { accept } }));
  expect(status).toBe(200);
  expect(body).toBeDefined();
  // 2,000 objects of more than 1,200 bytes, 640 KiB per step
  expect(counted.turns).toBeGreaterThanOrEqual(2);
});

it('an indented list in pieces equals the encoding of the complete list', async () => {
  const api = createTestApi();
  for (const text of ['a\nb', '<&>\u2028', '']) {
    for (const query of ['?pretty=true', '?pretty=true&limit=2', '?pretty=true&labelSelector=none']) {
      for (const accept of ['application/json', TABLE, `application/json;${METADATA}`]) {
        const { text: whole } = await api.ask('GET', NOTES + query, { headers: { accept } });
        const indented = JSON.stringify(JSON.parse(whole), undefined, 2);
        expect(JSON.parse(whole)).toEqual(JSON.parse(indented));
        const escaped = indented.replace(
          /[<>&\u2028\u2029]/g,
          (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
        );
        expect(whole).toBe(escaped);
      }
    }
    await api.ask('POST', NOTES, { metadata: { name: `n${text.length}` }, text });
  }
});
