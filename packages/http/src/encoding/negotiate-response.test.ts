import { type Ambient, orchVocabulary, StatusError } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import { ServedResource } from '../catalog/served-resource.ts';
import { CostlyRequests } from '../pipeline/costly-requests.ts';
import { LargeBodies } from '../pipeline/large-bodies.ts';
import { RequestScope } from '../pipeline/request-scope.ts';
import { Query } from '../request/query.ts';
import { parseRequestInfo } from '../request/request-info.ts';
import { createTestApi, toRequest } from '../testing/test-api.fixture.ts';
import { notes, widgets } from '../testing/test-resources.fixture.ts';
import {
  isPretty,
  negotiateFailure,
  negotiateResponse,
  negotiateWatchResponse,
  type ResponseShape,
  requireStreamable,
} from './negotiate-response.ts';
import type { Representation } from './representation.ts';

const served = (definition: typeof notes): ServedResource =>
  new ServedResource(
    definition,
    definition.versions[0] as (typeof notes.versions)[0],
    {},
    {
      vocabulary: orchVocabulary,
    },
  );
const builtIn = served(notes);
const custom = served(widgets);

function negotiate(
  accept: string | undefined,
  {
    of = builtIn,
    shape = 'object',
    query = '',
  }: { of?: ServedResource; shape?: ResponseShape; query?: string } = {},
): Representation {
  const request = toRequest('GET', `/api/v1/notes?${query}`, {
    headers: accept === undefined ? {} : { accept },
  });
  const ambient: Ambient = {
    clock: createSteppedClock(),
    random: { bytes: (into) => into },
    vocabulary: orchVocabulary,
  };
  const scope = new RequestScope(request, parseRequestInfo(request.method, request.url), {
    auditId: '',
    started: 0,
    now: () => 0,
    costs: new CostlyRequests(ambient),
    largeBodies: new LargeBodies(ambient),
  });
  if (shape !== 'watch') return negotiateResponse(scope, of, shape);
  const representation = negotiateWatchResponse(scope, of, true);
  requireStreamable(scope, of);
  return representation;
}

function refusal(...asked: Parameters<typeof negotiate>): string {
  try {
    negotiate(...asked);
  } catch (error) {
    if (StatusError.is(error, 'NotAcceptable')) return error.message;
    throw error;
  }
  return 'none';
}

const table = 'application/json;as=Table;g=meta.orch.io;v=v1';
const partial = 'application/json;as=PartialObjectMetadata;g=meta.orch.io;v=v1';
const partialList = 'application/json;as=PartialObjectMetadataList;g=meta.orch.io;v=v1';
const protobuf = 'application/vnd.orch.protobuf';

describe('negotiateResponse', () => {
  it.each([
    undefined,
    '',
    '*/*',
    'application/json',
    'application/json;charset=utf-8',
    'text/html, */*;q=0.1',
  ])('returns JSON for %s', (accept) => {
    expect(negotiate(accept)).toMatchObject({
      format: 'json',
      contentType: 'application/json',
      pretty: false,
    });
  });

  it('returns the preferred format', () => {
    expect(negotiate('application/yaml')).toMatchObject({ format: 'yaml', contentType: 'application/yaml' });
    expect(negotiate(protobuf)).toMatchObject({ format: 'protobuf', contentType: protobuf });
    expect(negotiate('application/yaml;q=0.5, application/json').format).toBe('json');
    expect(negotiate(protobuf, { shape: 'watch' }).contentType).toBe(`${protobuf};stream=watch`);
    expect(negotiate('application/json;stream=watch', { shape: 'watch' }).contentType).toBe(
      'application/json',
    );
  });

  it('selects views', () => {
    expect(negotiate(table).transform).toEqual({ as: 'Table', version: 'v1' });
    expect(negotiate(table.replace('v=v1', 'v=v1beta1')).transform).toEqual({
      as: 'Table',
      version: 'v1beta1',
    });
    expect(negotiate(partialList, { shape: 'list' }).transform?.as).toBe('PartialObjectMetadataList');
    expect(negotiate(partial, { of: custom, shape: 'watch' }).transform?.as).toBe('PartialObjectMetadata');
    expect(negotiate(`${table.replace('Table', 'Chart')}, application/json`).transform).toBeUndefined();
  });

  it('rejects formats that a built-in type does not have, as its route does', () => {
    const types = `application/json, application/yaml, ${protobuf}`;
    expect(refusal('image/png')).toBe(`406: Not Acceptable\n\nAvailable representations: ${types}`);
    const watches = `, application/json;stream=watch, ${protobuf};stream=watch`;
    expect(refusal('image/png', { shape: 'list' })).toBe(
      `406: Not Acceptable\n\nAvailable representations: ${types}${watches}`,
    );
  });

  it.each([
    [{ of: custom }, 'image/png', `application/json, application/yaml, ${protobuf}`],
    [{ of: custom }, protobuf, `application/json, application/yaml, ${protobuf}`],
    [
      { shape: 'watch' as const },
      'application/yaml',
      `application/json;stream=watch, ${protobuf};stream=watch`,
    ],
    [{}, table.replace('meta.', 'beta.'), `application/json, application/yaml, ${protobuf}`],
  ])('rejects the rest: %o %s', (asked, accept, types) => {
    expect(refusal(accept, asked)).toBe(`only the following media types are accepted: ${types}`);
  });

  it('rejects views of the wrong shape: with the result, and writes change nothing', async () => {
    const api = createTestApi();
    const list = '/api/v1/namespaces/x/notes';
    const message = async (method: string, path: string, accept: string, body = ''): Promise<string> => {
      const headers = { accept, 'content-type': 'application/json' };
      const { status, json } = await api.ask(method, path, { headers, body });
      return `${status} ${json.message}`;
    };
    const notList = 'you requested PartialObjectMetadataList, but the requested object is not a list';
    expect(await message('POST', list, partialList, '{"metadata":{"name":"a"}}')).toBe(
      `406 ${notList} (*core.Note)`,
    );
    expect(await message('POST', list, partialList, '{')).toMatch(/^400 the object provided is unrecognized/);
    expect(await message('GET', `${list}/a`, partialList)).toBe('404 notes "a" not found');
    await api.ask('POST', list, { metadata: { name: 'a' } });
    expect(await message('GET', `${list}/a`, partialList)).toBe(`406 ${notList} (*core.Note)`);
    expect(await message('GET', list, partial)).toBe(
      '406 you requested PartialObjectMetadata, but the requested object is a list (*core.NoteList)',
    );
    expect(await message('DELETE', `${list}?limit=x`, partial)).toMatch(/^400 strconv.ParseInt/);
    expect(await message('DELETE', list, partial)).toMatch(/^406 you requested PartialObjectMetadata, /);
    expect((await api.ask('GET', `${list}/a`)).status).toBe(200);
    expect(await message('DELETE', `${list}/b`, partialList)).toBe('404 notes "b" not found');
    const deleted = await api.ask('DELETE', `${list}/a`, { headers: { accept: partialList } });
    expect([deleted.status, deleted.json.kind]).toEqual([200, 'Status']);
    expect(await message('GET', '/apis/example.com/v1/namespaces/x/widgets', partial)).toBe(
      '406 you requested PartialObjectMetadata, but the requested object is a list (*unstructured.UnstructuredList)',
    );
  });

  it('has no tables of what is only created', () => {
    const storage = { create: () => Promise.reject(new Error('not asked')) };
    const review = new ServedResource(notes, notes.versions[0] as (typeof notes.versions)[0], storage, {
      vocabulary: orchVocabulary,
    });
    const table = 'application/json;as=Table;g=meta.orch.io;v=v1';
    expect(refusal(table, { of: review })).toContain('only the following media types are accepted');
    expect(negotiate(`${table},application/json`, { of: review }).transform).toBeUndefined();
    expect(negotiate(table).transform?.as).toBe('Table');
  });

  it('accepts the only version of the meta group', () => {
    expect(negotiate('application/json;sv=v1').format).toBe('json');
    expect(refusal('application/json;sv=v2')).toContain('only the following media types');
  });

  it('indents on request, but never streams', () => {
    expect(negotiate('application/json', { query: 'pretty=1' }).pretty).toBe(true);
    expect(negotiate('application/json;pretty=1').pretty).toBe(true);
    expect(negotiate('application/json;pretty=1', { shape: 'watch' }).pretty).toBe(false);
  });
});

describe('negotiateFailure', () => {
  const failure = (accept: string): Representation =>
    negotiateFailure(toRequest('GET', '/', { headers: { accept } }), new Query(''), orchVocabulary);

  it("returns failures in the caller's format, without views", () => {
    expect(failure('application/yaml').format).toBe('yaml');
    expect(failure(protobuf).format).toBe('protobuf');
    expect(failure(table)).toMatchObject({ format: 'json', pretty: true });
    expect(failure(`${table}, application/yaml`).format).toBe('yaml');
    expect(failure(`${table}, application/yaml`)).not.toHaveProperty('transform');
  });

  it('returns them in indented JSON if the caller accepts none', () => {
    expect(failure('image/png')).toMatchObject({ format: 'json', pretty: true });
  });
});

describe('isPretty', () => {
  const pretty = (query: string, agent?: string): boolean =>
    isPretty(
      toRequest('GET', '/', { headers: agent === undefined ? {} : { 'user-agent': agent } }),
      new Query(query),
    );

  it('follows the parameter, or the user agent by default', () => {
    expect(['pretty=true', 'pretty=1', 'pretty=0', 'pretty=', ''].map((query) => pretty(query))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(
      ['curl/8', 'Wget/1', 'Mozilla/5.0 (X)', 'Mozilla/4.0', 'client/1'].map((agent) => pretty('', agent)),
    ).toEqual([true, true, true, false, false]);
    expect(pretty('pretty=false', 'curl/8')).toBe(false);
  });
});
