import { compileProtobuf, decodeEnvelope, encodeYaml, listSchema } from '@ashlar/codec';
import { orchVocabulary, partialObjectMetadataSchema, type SizedPieces } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiCatalog } from '../catalog/api-catalog.ts';
import { createTestApi, type TestApi, toRequest } from '../testing/test-api.fixture.ts';
import { notes } from '../testing/test-resources.fixture.ts';
import { EncodingBudget } from './encoding-budget.ts';

const NOTES = '/api/v1/namespaces/x/notes';
const WIDGETS = '/apis/example.com/v1/namespaces/x/widgets';
const protobuf = { headers: { accept: orchVocabulary.protobufMediaType } };
const yaml = { headers: { accept: 'application/yaml' } };

async function withNotes(texts: readonly string[], budget?: EncodingBudget): Promise<TestApi> {
  const api = createTestApi(budget && { budget });
  for (const [i, text] of texts.entries()) {
    const labels = { [`l${i}`]: 'a' };
    await api.ask('POST', NOTES, { metadata: { name: `n${i}`, labels }, text });
    const kind = { apiVersion: 'example.com/v1', kind: 'Widget' };
    await api.ask('POST', WIDGETS, { ...kind, metadata: { name: `w${i}` } });
  }
  return api;
}

async function bodyOf(api: TestApi, url: string): Promise<SizedPieces> {
  return (await api.handler(toRequest('GET', url))).body as SizedPieces;
}

const several = fc.array(fc.string({ unit: 'grapheme', maxLength: 200 }), { maxLength: 4 });

describe('a list', () => {
  it.each([NOTES, WIDGETS])('too long for the cache knows its length before its pieces: %s', async (path) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ maxLength: 200 }), { minLength: 1, maxLength: 4 }),
        async (texts) => {
          const body = await bodyOf(await withNotes(texts, new EncodingBudget(0)), path);
          const pieces = [...body];
          expect(pieces.reduce((size, { length }) => size + length, 0)).toBe(body.size);
          expect([...body]).toEqual(pieces);
        },
      ),
      { numRuns: 10 },
    );
  });

  it('is the same twice, in every format', async () => {
    const api = await withNotes(['a', 'b <&> \u2028', '']);
    for (const path of [NOTES, WIDGETS])
      for (const headers of [
        {},
        yaml,
        { headers: { accept: 'application/json;as=Table;g=meta.orch.io;v=v1' } },
      ])
        expect((await api.ask('GET', path, headers)).text).toBe((await api.ask('GET', path, headers)).text);
    const once = await api.ask('GET', NOTES, protobuf);
    expect((await api.ask('GET', NOTES, protobuf)).bytes).toEqual(once.bytes);
  });

  it('equals the encoding of the complete list in YAML', async () => {
    await fc.assert(
      fc.asyncProperty(several, async (texts) => {
        const api = await withNotes(texts);
        for (const path of [NOTES, WIDGETS]) {
          const { json } = await api.ask('GET', path);
          expect((await api.ask('GET', path, yaml)).text).toBe(new TextDecoder().decode(encodeYaml(json)));
        }
      }),
      { numRuns: 10 },
    );
  });

  it('equals the encoding of the complete list in Protobuf', async () => {
    const schema = listSchema((notes.versions[0] as (typeof notes.versions)[0]).schema);
    const codec = compileProtobuf(schema);
    await fc.assert(
      fc.asyncProperty(
        several.filter(({ length }) => length > 0),
        async (texts) => {
          const api = await withNotes(texts);
          const { raw, kind, apiVersion } = decodeEnvelope((await api.ask('GET', NOTES, protobuf)).bytes);
          const { json } = await api.ask('GET', NOTES);
          expect({ kind, apiVersion, ...codec.decode(raw) }).toEqual(json);
          expect(codec.encode(json as never)).toEqual(raw);
        },
      ),
      { numRuns: 10 },
    );
  });

  it('contains only the metadata of its items in Protobuf if requested', async () => {
    const api = await withNotes(['a', 'b']);
    const as = 'as=PartialObjectMetadataList;g=meta.orch.io;v=v1';
    const accept = `${orchVocabulary.protobufMediaType};${as}`;
    const { raw, kind } = decodeEnvelope((await api.ask('GET', NOTES, { headers: { accept } })).bytes);
    const json = (await api.ask('GET', NOTES, { headers: { accept: `application/json;${as}` } })).json;
    const codec = compileProtobuf(listSchema(partialObjectMetadataSchema));
    expect([kind, codec.decode(raw).items]).toEqual([
      'PartialObjectMetadataList',
      (json.items as readonly { metadata: object }[]).map(({ metadata }) => ({ metadata })),
    ]);
  });

  it('is the same if nothing may be cached', async () => {
    const api = await withNotes(['a', 'b', 'c']);
    const poor = new ApiCatalog(orchVocabulary, {}, new EncodingBudget(0));
    const served = api.catalog.find('', 'v1', 'notes');
    poor.add(notes, (served as NonNullable<typeof served>).storage);
    const other = createTestApi({ catalog: poor } as never);
    for (const headers of [{}, yaml, protobuf])
      expect((await other.ask('GET', NOTES, headers)).bytes).toEqual(
        (await api.ask('GET', NOTES, headers)).bytes,
      );
  });
});
