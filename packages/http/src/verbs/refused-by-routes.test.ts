import { kubernetesVocabulary, metaGroup, orchVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { createTestApi, type Received } from '../testing/test-api.fixture.ts';
import { namespaces, notes } from '../testing/test-resources.fixture.ts';

const NOTES = '/api/v1/namespaces/x/notes';

/** What the reference answers was recorded for built-in kinds with the same paths. */
describe.each([orchVocabulary, kubernetesVocabulary])('routes of $name', (vocabulary) => {
  const types = `application/json, application/yaml, ${vocabulary.protobufMediaType}`;
  const table = `application/json;as=Table;g=${metaGroup(vocabulary)};v=v2`;
  const ask = async (
    method: string,
    path: string,
    headers: Record<string, string> = {},
  ): Promise<Received> => {
    const api = createTestApi({ vocabulary });
    return api.ask(method, path, { headers });
  };
  const result = async (...asked: Parameters<typeof ask>): Promise<string> => {
    const { status, text, json } = await ask(...asked);
    return `${status} ${json.message ?? text}`;
  };

  it.each([
    ['with a body and no content type', { 'content-length': '2' }, '415 415: Unsupported Media Type'],
    [
      'with an empty body',
      { 'content-length': '0' },
      '406 406: Not Acceptable\n\nAvailable representations: ',
    ],
    [
      'with an empty body of another type',
      { 'content-length': '0', 'content-type': 'application/json' },
      '406 406: Not Acceptable\n\nAvailable representations: ',
    ],
    ['with a body of unknown length', {}, '415 415: Unsupported Media Type\n\nAvailable representations: '],
    [
      'in a format that is not sent, too',
      { 'content-length': '0', accept: 'text/*' },
      '406 406: Not Acceptable\n\nAvailable representations: ',
    ],
    [
      'with two types',
      { 'content-length': '2', 'content-type': 'application/merge-patch+json, text/plain' },
      '415 the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/strategic-merge-patch+json, application/apply-patch+yaml',
    ],
  ])('refuse a patch %s', async (_what, headers, expected) => {
    expect(await result('PATCH', `${NOTES}/a`, headers)).toBe(expected);
  });

  it('do not tell what they refuse that its version is deprecated', async () => {
    const [version, ...others] = notes.versions;
    const deprecated = { ...notes, versions: [{ ...version, warning: 'notes are old' }, ...others] };
    const definitions = [namespaces, deprecated as typeof notes];
    const warned = async (method: string, headers: Record<string, string>): Promise<unknown[]> => {
      const path = method === 'PATCH' ? `${NOTES}/a` : NOTES;
      const response = await createTestApi({ vocabulary, definitions }).ask(method, path, { headers });
      return [response.status, response.headers.warning !== undefined];
    };
    expect(await warned('GET', {})).toEqual([200, true]);
    expect(await warned('GET', { accept: 'text/html' })).toEqual([406, false]);
    expect(await warned('GET', { accept: 'application/json;stream=watch' })).toEqual([200, true]);
    expect(await warned('PATCH', { 'content-type': 'text/html', 'content-length': '2' })).toEqual([
      415,
      false,
    ]);
  });

  it('blame the content of a write of unknown length for a format that they do not send', async () => {
    const representations = `Available representations: ${types}`;
    expect(await result('POST', NOTES, { accept: 'text/*' })).toBe(
      `415 415: Unsupported Media Type\n\n${representations}`,
    );
    expect(await result('POST', NOTES, { accept: 'text/*', 'content-length': '2' })).toBe(
      `406 406: Not Acceptable\n\n${representations}`,
    );
  });

  it('report a format that they cannot send before fields and versions, and after options', async () => {
    const refused = `406 only the following media types are accepted: ${types}`;
    for (const query of [
      'fieldSelector=spec.x=1',
      'resourceVersion=x',
      'watch=1&resourceVersion=-1',
      'watch=1&fieldSelector=spec.x=1',
    ])
      expect(await result('GET', `${NOTES}?${query}`, { accept: table })).toBe(refused);
    expect(await result('GET', `${NOTES}?limit=x`, { accept: table })).toBe(
      '400 strconv.ParseInt: parsing "x": invalid syntax',
    );
  });

  it('report that a format has no stream after versions', async () => {
    const accept = 'application/yaml';
    const streams = `application/json;stream=watch,\n  ${vocabulary.protobufMediaType};stream=watch`;
    expect(await result('GET', `${NOTES}?watch=1&resourceVersion=x`, { accept })).toMatch(
      /^422 .*message: 'notes "" is invalid/s,
    );
    expect(await result('GET', `${NOTES}?watch=1`, { accept })).toContain(
      `406 apiVersion: v1\ncode: 406\nkind: Status\nmessage: 'only the following media types are accepted: ${streams}'`,
    );
  });

  it('check the options of a deprecated path as those of a list', async () => {
    const query = 'resourceVersion=x&sendInitialEvents=0';
    expect(await result('GET', `/api/v1/watch/namespaces/x/notes?${query}`)).toContain(
      'sendInitialEvents is forbidden for list',
    );
    expect(await result('GET', `${NOTES}?watch=1&${query}`)).toContain('sendInitialEvents requires setting');
  });

  it('have no streams at the path of an object', async () => {
    expect(await result('GET', `${NOTES}/a?watch=1`, { accept: 'text/*' })).toBe(
      `406 406: Not Acceptable\n\nAvailable representations: ${types}`,
    );
    expect(await result('GET', `${NOTES}?watch=1`, { accept: 'text/*' })).toContain(';stream=watch');
  });

  it('may send text where a subresource is only read, such as a log, in a format of objects', async () => {
    const read = { name: 'read', kind: 'Note', verbs: ['get'] } as const;
    const definitions = [namespaces, { ...notes, connections: [read] }];
    const connect = async () => ({ status: 202, headers: {} });
    const api = createTestApi({ vocabulary, definitions, connect });
    const reading = (accept: string): Promise<Received> =>
      api.ask('GET', `${NOTES}/a/read`, { headers: { accept } });
    for (const accept of ['text/plain, */*', 'application/json, */*', 'application/yaml'])
      expect((await reading(accept)).status).toBe(202);
    for (const accept of ['text/plain', 'application/json;as=Table;g=meta.k8s.io;v=v1'])
      expect((await reading(accept)).json.message).toMatch(/^only the following media types are accepted/);
    const { status, json } = await reading('text/html');
    expect([status, json.message]).toEqual([
      406,
      `406: Not Acceptable\n\nAvailable representations: text/plain, ${types}`,
    ]);
  });

  it('need a resource after the verb of the deprecated form', async () => {
    for (const path of ['/api/v1/watch?a=1&b=<', '/apis/g/v1/proxy/']) {
      const { status, text, headers } = await ask('GET', path);
      const url = path.replace('&', '&amp;').replace('<', '&lt;');
      expect([status, text, headers['cache-control']]).toEqual([
        500,
        `Internal Server Error: "${url}": failed to create RequestInfo: unable to determine kind and namespace from url, ${url}\n`,
        undefined,
      ]);
      expect(headers['audit-id']).toBeDefined();
    }
  });
});
