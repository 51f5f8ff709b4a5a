import {
  compileProtobuf,
  decodeEnvelope,
  encodeCbor,
  encodeYaml,
  listSchema,
  selfDescribed,
} from '@ashlar/codec';
import { orchVocabulary, partialObjectMetadataSchema, type Schema } from '@ashlar/core';
import { expect, it } from 'vitest';
import { CountedTurns } from '../testing/counted-turns.fixture.ts';
import { createTestApi, type Received } from '../testing/test-api.fixture.ts';
import { notes } from '../testing/test-resources.fixture.ts';

const NOTES = '/api/v1/namespaces/x/notes';
const PROTOBUF = orchVocabulary.protobufMediaType;
const METADATA = 'as=PartialObjectMetadataList;g=meta.orch.io;v=v1';
const TAGS = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`t${i}`, `a value of number ${i}`]));
const LABELS = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`l${i}`, `a-value-${i}`]));

const latin = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes);
const schema = (notes.versions[0] as (typeof notes.versions)[0]).schema;
const protobufOf = (of: Schema) => (answer: Received) => {
  const { raw, kind, apiVersion } = decodeEnvelope(answer.bytes);
  return { kind, apiVersion, ...compileProtobuf(listSchema(of)).decode(raw) };
};

it.each<[string, string, string, (answer: Received) => unknown, (list: Received['json']) => unknown]>([
  ['Protobuf', '', PROTOBUF, protobufOf(schema), (list) => list],
  [
    'CBOR',
    '',
    'application/cbor',
    ({ bytes }) => latin(bytes),
    (list) => latin(selfDescribed(encodeCbor(list))),
  ],
  ['YAML', '', 'application/yaml', ({ bytes }) => latin(bytes), (list) => latin(encodeYaml(list))],
  [
    'indented JSON',
    '?pretty=true',
    'application/json',
    ({ text }) => text,
    (list) => JSON.stringify(list, undefined, 2),
  ],
  [
    'metadata in Protobuf',
    '',
    `${PROTOBUF};${METADATA}`,
    (answer) => (protobufOf(partialObjectMetadataSchema)(answer) as Partial<Received['json']>).items,
    ({ items }) => items.map(({ metadata }) => ({ metadata })),
  ],
])(
  'a list with large objects in %s is encoded in slices, and is the same',
  async (_, query, accept, read, expected) => {
    const counted = new CountedTurns();
    const api = createTestApi({ encodings: { cbor: true }, ambient: counted.ambient });
    for (const [name, tags, labels] of [
      ['a', {}, {}],
      ['b', TAGS, LABELS],
      ['c', { a: 'b' }, {}],
      ['d', TAGS, LABELS],
    ] as const)
      await api.ask('POST', NOTES, { metadata: { name, labels }, text: 'a', tags });
    const list = (await api.ask('GET', NOTES)).json;
    counted.turns = 0;
    const answer = await api.ask('GET', NOTES + query, { headers: { accept } });
    expect(counted.turns).toBeGreaterThan(6);
    expect(read(answer)).toEqual(expected(list));
  },
);
