import { describe, expect, it } from 'vitest';
import { createTestApi, type Received, type TestApi } from '../testing/test-api.fixture.ts';

const NOTES = '/api/v1/namespaces/x/notes';
const WIDGETS = '/apis/example.com/v1/namespaces/x/widgets';

async function withNote(finalizers: readonly string[] = []): Promise<TestApi> {
  const api = createTestApi();
  await api.ask('POST', NOTES, { metadata: { name: 'a', finalizers } });
  return api;
}

const remove = async (api: TestApi, body: string, query = '', type = 'application/json'): Promise<Received> =>
  api.ask('DELETE', `${NOTES}/a${query}`, { body, headers: { 'content-type': type } });

describe('DELETE', () => {
  it('returns a Status of the deleted object', async () => {
    const { status, json } = await remove(await withNote(), '');
    expect([status, json]).toEqual([
      200,
      {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Success',
        details: { name: 'a', kind: 'notes', uid: expect.any(String) },
      },
    ]);
  });

  it('returns the object if its kind does so, or if it is not removed yet', async () => {
    const api = await withNote(['example.com/f']);
    const retained = await remove(api, '');
    expect([retained.status, retained.json.kind, retained.json.metadata]).toMatchObject([
      200,
      'Note',
      {
        deletionTimestamp: '2024-01-02T03:04:05Z',
        deletionGracePeriodSeconds: 0,
        finalizers: ['example.com/f'],
      },
    ]);
    expect((await remove(api, '{"orphanDependents":false}')).status).toBe(202);
    await api.ask('POST', '/api/v1/namespaces', { metadata: { name: 'n' } });
    const gone = await api.ask('DELETE', '/api/v1/namespaces/n');
    expect([gone.status, gone.json.kind]).toEqual([200, 'Namespace']);
    expect((await api.ask('GET', '/api/v1/namespaces/n')).status).toBe(404);
  });

  it('accepts options from the body in every format', async () => {
    const finalizersAfter = async (body: string, type: string): Promise<unknown> =>
      (await remove(await withNote(), body, '', type)).json.metadata;
    const orphan = { finalizers: ['orphan'] };
    expect(await finalizersAfter('{"propagationPolicy":"Orphan"}', 'application/json')).toMatchObject(orphan);
    expect(await finalizersAfter('propagationPolicy: Orphan\n', 'application/yaml')).toMatchObject(orphan);
    const full = '{"kind":"DeleteOptions","apiVersion":"anything/v1","orphanDependents":true}';
    expect(await finalizersAfter(full, 'application/json')).toMatchObject(orphan);
  });

  it('reads them from the query if there is no body', async () => {
    const foreground = { finalizers: ['foregroundDeletion'] };
    expect((await remove(await withNote(), '', '?propagationPolicy=Foreground')).json.metadata).toMatchObject(
      foreground,
    );
    expect((await remove(await withNote(), '{}', '?propagationPolicy=Foreground')).json.kind).toBe('Status');
    expect((await remove(await withNote(), '', '?orphanDependents')).json.metadata).toMatchObject({
      finalizers: ['orphan'],
    });
  });

  it('deletes nothing in a dry run', async () => {
    const api = await withNote();
    expect((await remove(api, '', '?dryRun=All')).json.status).toBe('Success');
    expect((await remove(api, '{"dryRun":["All"]}')).json.status).toBe('Success');
    expect((await api.ask('GET', `${NOTES}/a`)).status).toBe(200);
  });

  it('checks preconditions', async () => {
    const api = await withNote();
    const { uid, resourceVersion } = (await api.ask('GET', `${NOTES}/a`)).json.metadata;
    const other = await remove(api, '{"preconditions":{"uid":"u"}}');
    expect([other.status, other.json.details, other.json.message]).toEqual([
      409,
      { name: 'a', kind: 'Note' },
      `Operation cannot be fulfilled on Note "a": the UID in the precondition (u) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    ]);
    expect((await remove(api, '{"preconditions":{"resourceVersion":"1"}}')).status).toBe(409);
    expect((await remove(api, JSON.stringify({ preconditions: { uid, resourceVersion } }))).status).toBe(200);
  });

  it('validates the options of a collection before its body, and as those of a watch where one is asked for', async () => {
    const api = await withNote();
    const { status, json } = await api.ask('DELETE', `${NOTES}?continue=x&watch=true`, { body: '{' });
    expect([status, json.message]).toEqual([
      422,
      expect.stringContaining('resourceVersionMatch is forbidden when continue is provided'),
    ]);
  });

  it('takes preconditions from the query, if there is no body', async () => {
    const api = await withNote();
    const { uid, resourceVersion } = (await api.ask('GET', `${NOTES}/a`)).json.metadata;
    const status = async (query: string, body = ''): Promise<number> =>
      (await remove(api, body, `?dryRun=All&${query}`)).status;
    expect([await status('uid=u'), await status('resourceVersion=0')]).toEqual([409, 409]);
    expect(await status(`uid=${uid}&resourceVersion=${resourceVersion}`)).toBe(200);
    expect(await status('uid=&resourceVersion=')).toBe(200);
    expect(await status('uid=u', '{"dryRun":["All"]}')).toBe(200);
  });

  it.each([
    [
      '{',
      400,
      `the object provided is unrecognized (must be of type DeleteOptions): couldn't get version/kind`,
    ],
    ['[1]', 400, 'json: cannot unmarshal array'],
    ['{"kind":"Note"}', 400, 'Note cannot be handled as DeleteOptions of meta.orch.io'],
    ['{"apiVersion":"a/b/c","kind":"DeleteOptions"}', 400, 'unexpected GroupVersion string: a/b/c'],
    ['{"apiVersion":"a/b/c","gracePeriodSeconds":"5"}', 400, 'unexpected GroupVersion string: a/b/c'],
    ['{"kind":7}', 400, 'json: cannot unmarshal number'],
    ['{"preconditions":{"uid":5}}', 400, 'json: cannot unmarshal number'],
    ['{"gracePeriodSeconds":"5"}', 400, 'json: cannot unmarshal string'],
    ['{"gracePeriodSeconds":1.5}', 400, 'json: cannot unmarshal number 1.5'],
    ['{"dryRun":"All"}', 400, 'json: cannot unmarshal string'],
    ['{"dryRun":["Some"]}', 422, 'DeleteOptions.meta.orch.io "" is invalid: dryRun: Unsupported value'],
    ['{"propagationPolicy":"x"}', 422, 'propagationPolicy: Unsupported value: "x"'],
    ['{"propagationPolicy":""}', 422, 'propagationPolicy: Unsupported value: ""'],
    [
      '{"propagationPolicy":"Orphan","orphanDependents":true}',
      422,
      'orphanDependents and deletionPropagation cannot be both set',
    ],
  ])('rejects %s and deletes nothing', async (body, status, text) => {
    const api = await withNote();
    const result = await remove(api, body);
    expect([result.status, result.json.message]).toEqual([status, expect.stringContaining(text)]);
    expect((await api.ask('GET', `${NOTES}/a`)).status).toBe(200);
    expect(api.faults).toEqual([]);
  });

  it.each([
    ['?gracePeriodSeconds=x', 'strconv.ParseInt: parsing "x": invalid syntax'],
    ['?gracePeriodSeconds=', 'strconv.ParseInt: parsing "": invalid syntax'],
    ['?gracePeriodSeconds=9223372036854775808', 'value out of range'],
  ])('rejects %s', async (query, text) => {
    const result = await remove(await withNote(), '', query);
    expect([result.status, result.json.message]).toEqual([400, expect.stringContaining(text)]);
  });

  it('rejects bodies of unsupported media types', async () => {
    expect((await remove(await withNote(), 'x', '', 'text/plain')).status).toBe(415);
    const broken = await remove(
      await withNote(),
      'k8s\u0000\u00ff\u00ff',
      '',
      'application/vnd.orch.protobuf',
    );
    expect([broken.status, broken.json.reason]).toEqual([400, 'BadRequest']);
  });

  it('ignores the option of a disabled feature gate', async () => {
    const body = '{"ignoreStoreReadErrorWithClusterBreakingPotential":true,"dryRun":["All"]}';
    expect((await remove(await withNote(), body)).status).toBe(200);
  });
});

describe('DELETE of a collection', () => {
  it('deletes selected objects and returns them', async () => {
    const api = createTestApi();
    for (const [name, color] of Object.entries({ a: 'red', b: 'blue', c: 'red' })) {
      const body = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name }, spec: { color } };
      expect((await api.ask('POST', WIDGETS, body)).status).toBe(201);
    }
    const dry = await api.ask('DELETE', `${WIDGETS}?fieldSelector=spec.color=red&dryRun=All`);
    expect(dry.json.items).toHaveLength(2);
    const { status, json } = await api.ask('DELETE', `${WIDGETS}?fieldSelector=spec.color=red`);
    expect([status, json.kind, json.items.map(({ metadata }) => metadata.name)]).toEqual([
      200,
      'WidgetList',
      ['a', 'c'],
    ]);
    expect(json.items[0]?.metadata).not.toHaveProperty('deletionTimestamp');
    expect((await api.ask('GET', WIDGETS)).json.items.map(({ metadata }) => metadata.name)).toEqual(['b']);
  });

  it('is rejected if the type does not support it', async () => {
    const { status } = await createTestApi().ask('DELETE', '/api/v1/namespaces');
    expect(status).toBe(405);
  });
});
