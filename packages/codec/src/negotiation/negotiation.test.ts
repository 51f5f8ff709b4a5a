import { orchVocabulary } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAccept } from './accept-header.ts';
import { objectMediaTypes } from './media-types.ts';
import {
  negotiateAccept,
  negotiateWatch,
  notAcceptable,
  objectTransforms,
  plainOnly,
} from './negotiation.ts';
import { checkRouteAccept } from './route-accept.ts';

const served = objectMediaTypes(orchVocabulary);
const objects = objectTransforms(orchVocabulary);
const custom = objectTransforms(orchVocabulary, { protobuf: 'transforms-only' });
const PROTOBUF = 'application/vnd.orch.protobuf';
const PARTIAL = 'as=PartialObjectMetadata;g=meta.orch.io;v=v1';

describe('negotiateAccept', () => {
  it('accepts clauses with `sv` if the endpoint has that version', () => {
    const header = 'application/yaml;sv=v1, application/json';
    expect(negotiateAccept(header, served, objects)?.mediaType).toBe('application/json');
    expect(negotiateAccept(header, served, objects, 'v1')?.mediaType).toBe('application/yaml');
    expect(negotiateAccept(header, served, objects, 'v2')?.mediaType).toBe('application/json');
    expect(negotiateWatch('application/json;sv=v1', served, objects, 'v1')?.mediaType).toBe(
      'application/json',
    );
  });

  it('returns JSON by default', () => {
    expect(negotiateAccept(undefined, served, objects)).toEqual({ mediaType: 'application/json' });
    expect(negotiateAccept('', served, objects)).toEqual({ mediaType: 'application/json' });
  });

  it('skips a clause whose transform is not supported', () => {
    const header = 'application/json;as=Table;g=meta.orch.io;v=v2,application/yaml';
    expect(negotiateAccept(header, served, objects)).toEqual({ mediaType: 'application/yaml' });
  });

  it('supports tables in JSON and YAML only', () => {
    const table = 'as=Table;g=meta.orch.io;v=v1beta1';
    const transform = { group: 'meta.orch.io', version: 'v1beta1', kind: 'Table' };
    expect(negotiateAccept(`application/json;${table}`, served, objects)).toEqual({
      mediaType: 'application/json',
      transform,
    });
    expect(negotiateAccept(`${PROTOBUF};${table}`, served, objects)).toBeNull();
    expect(
      negotiateAccept(
        `application/json;${table}`,
        served,
        objectTransforms(orchVocabulary, { table: false }),
      ),
    ).toBeNull();
  });

  it('supports custom resources in Protobuf only as partial metadata', () => {
    expect(negotiateAccept(PROTOBUF, served, custom)).toBeNull();
    expect(negotiateAccept(`${PROTOBUF};${PARTIAL},application/json`, served, custom)?.mediaType).toBe(
      PROTOBUF,
    );
    expect(negotiateAccept(`${PROTOBUF},application/json`, served, custom)?.mediaType).toBe(
      'application/json',
    );
  });

  it('parses pretty and export', () => {
    expect(negotiateAccept('application/json;pretty=1;export=1', served, plainOnly)).toEqual({
      mediaType: 'application/json',
      pretty: true,
      exportForm: true,
    });
  });

  it('never fails on a header', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        const chosen = negotiateAccept(header, served, objects);
        expect(chosen === null || served.some(({ mediaType }) => mediaType === chosen.mediaType)).toBe(true);
      }),
    );
  });
});

describe('negotiateWatch', () => {
  it('rejects YAML although another clause is acceptable', () => {
    expect(negotiateWatch('application/yaml, application/json', served, objects)).toBeNull();
    expect(negotiateWatch('application/json, application/yaml', served, objects)?.mediaType).toBe(
      'application/json',
    );
    expect(notAcceptable(served, true).message).toBe(
      `only the following media types are accepted: application/json;stream=watch, ${PROTOBUF};stream=watch`,
    );
  });
});

describe('parseAccept', () => {
  it('orders by quality with any number of clauses', () => {
    const texts = Array.from(
      { length: 1000 },
      (_, i) => `a/b${i};q=0.${String((i * 37) % 1000).padStart(3, '0')}`,
    );
    const qualities = parseAccept(texts.join(',')).map(({ quality }) => quality);
    expect(qualities).toEqual(qualities.toSorted((a, b) => b - a));
    expect(qualities).toHaveLength(1000);
    const header = [...texts, 'application/yaml', 'application/json;q=0.9995'].join(',');
    expect(negotiateAccept(header, served, objects)?.mediaType).toBe('application/yaml');
  });

  it('accepts nothing by a header of too many clauses', () => {
    const header = `application/json${',a/b'.repeat(2000)}`;
    expect(parseAccept(header)).toEqual([]);
    expect(negotiateAccept(header, served, objects)).toBeNull();
    expect(checkRouteAccept(header, served, false)?.code).toBe(406);
  });

  it('orders by quality and lets an exact type pass a wildcard before it', () => {
    const order = (header: string) => parseAccept(header).map(({ type, subtype }) => `${type}/${subtype}`);
    expect(order('a/b;q=0.1, c/d, e/*;q=0.5')).toEqual(['c/d', 'e/*', 'a/b']);
    expect(order('*/*;q=0.5,a/b;q=0')).toEqual(['a/b', '*/*']);
  });
});
