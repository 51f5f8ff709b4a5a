import { StatusError } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import type { ApiServer } from '@ashlar/server';
import { createServerFixture } from '@ashlar/testing';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';

const MAPS = '/api/v1/namespaces/default/configmaps';
const OPENS = '/apis/example.com/v1/namespaces/default/opens';
const JSON_TYPE = 'application/json';
const PATCHES = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

/** A type that preserves anything below its spec. */
const opens: ResourceDefinition = {
  group: 'example.com',
  names: { plural: 'opens', singular: 'open', kind: 'Open', listKind: 'OpenList' },
  scope: 'Namespaced',
  dialect: 'custom',
  versions: [
    {
      name: 'v1',
      served: true,
      storage: true,
      schema: { type: 'object', properties: { spec: { type: 'object', preserveUnknownFields: true } } },
    },
  ],
  strategy: { validateName: () => [] },
};

const faults: unknown[] = [];
const fixture = createServerFixture(
  { resources: [opens], onError: (error) => faults.push(error) },
  async ({ fetch }) => {
    const body = '{"metadata":{"name":"a"},"data":{"k":"v"}}';
    const headers = { 'content-type': JSON_TYPE };
    await fetch(new Request(`http://server${MAPS}`, { method: 'POST', headers, body }));
  },
);
afterEach(() => expect(faults.splice(0)).toEqual([]));

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

async function ask(
  server: ApiServer,
  method: string,
  path: string,
  {
    body,
    type = JSON_TYPE,
    headers = {},
  }: { body?: string | Uint8Array; type?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const sent = body === undefined ? {} : { body: body as string };
  const init = {
    method,
    headers: { ...(body !== undefined && { 'content-type': type }), ...headers },
    ...sent,
  };
  const response = await server.fetch(new Request(`http://server${path}`, init));
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const revision = ({ store }: ApiServer): number | Promise<number> => store.currentRevision();

/** Sends a request, and expects that nothing was written and a Status contains the reason. */
async function refused(...asked: Parameters<typeof ask>): Promise<string> {
  const [server] = asked;
  const before = await revision(server);
  const { status, text } = await ask(...asked);
  expect(await revision(server)).toBe(before);
  const received = JSON.parse(text);
  expect(received).toMatchObject({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code: status });
  return `${status} ${received.reason} ${received.message}`;
}

const nested = (open: string, close: string, depth: number): string =>
  `${open.repeat(depth)}1${close.repeat(depth)}`;

describe('a request to what is no path', () => {
  it.each(['/api/v1/%zz', '/api/v1/namespaces/default/configmaps/%c3%28'])('%s', async (path) => {
    await using server = await fixture();
    const { status, text } = await ask(server, 'GET', path);
    expect([status, text]).toEqual([400, '400 Bad Request']);
  });
});

describe('a malformed request', () => {
  it.each([
    ['GET', `${MAPS}/x%25y`, `400 BadRequest Name parameter invalid: "x%y": may not contain '%'`],
    ['GET', `${MAPS}/a%2Fb`, '404 NotFound the server could not find the requested resource'],
    [
      'GET',
      '/api/v1/namespaces/default/namespaces/default',
      '404 NotFound the server could not find the requested resource',
    ],
    ['GET', `${MAPS}?limit=1e3`, '400 BadRequest strconv.ParseInt: parsing "1e3": invalid syntax'],
    ['GET', `${MAPS}?continue=%00`, /^400 BadRequest invalid continue token: continue key is not valid/],
    ['GET', `${MAPS}?labelSelector=a%20in%20(`, /^400 BadRequest unable to parse requirement: /],
    ['GET', `${MAPS}?labelSelector=__proto__`, /^400 BadRequest unable to parse requirement: /],
    ['GET', `${MAPS}?fieldSelector=__proto__=a`, /^400 BadRequest "__proto__" is not a known field selector/],
    ['GET', `${MAPS}?timeout=-`, /^400 BadRequest invalid timeout specified in the request URL - /],
    [
      'GET',
      `${MAPS}?watch=1&resourceVersion=-1`,
      /^422 Invalid configmaps "" is invalid: resourceVersion: Invalid value: "-1"/,
    ],
    ['POST', '/api/v1/namespaces/nowhere/configmaps', /^400 BadRequest the object provided is unrecognized/],
    ['PUT', MAPS, '405 MethodNotAllowed the server does not allow this method on the requested resource'],
    [
      'constructor',
      MAPS,
      '405 MethodNotAllowed the server does not allow this method on the requested resource',
    ],
    [
      '__proto__',
      `${MAPS}/a`,
      '405 MethodNotAllowed the server does not allow this method on the requested resource',
    ],
  ])('%s %s', async (method, path, expected) => {
    await using server = await fixture();
    const asked = method === 'POST' ? { body: 'x' } : {};
    expect(await refused(server, method, path, asked)).toMatch(expected);
  });

  it.each([
    [
      JSON_TYPE,
      '',
      /^400 BadRequest the object provided is unrecognized \(must be of type ConfigMap\): .*\(<empty>\)$/,
    ],
    [JSON_TYPE, '{"metadata":{"name":"b"}', /unexpected end of JSON input/],
    [JSON_TYPE, '{"metadata":{"name":"b"}} x', /^400 BadRequest the object provided is unrecognized/],
    [JSON_TYPE, '[]', /^400 BadRequest the object provided is unrecognized/],
    [JSON_TYPE, '"text"', /^400 BadRequest the object provided is unrecognized/],
    [
      JSON_TYPE,
      '{"kind":"Secret","apiVersion":"v1"}',
      /^400 BadRequest Secret in version "v1" cannot be handled as a ConfigMap/,
    ],
    [JSON_TYPE, '{"apiVersion":"v2"}', /^400 BadRequest .* no such kind is known in "v2"/],
    [
      JSON_TYPE,
      '{"metadata":5}',
      /^400 BadRequest ConfigMap in version "v1" cannot be handled as a ConfigMap: /,
    ],
    [
      JSON_TYPE,
      '{"metadata":{"name":"b","labels":{"__proto__":"x"}}}',
      /^422 Invalid ConfigMap "b" is invalid: metadata\.labels: /,
    ],
    [
      JSON_TYPE,
      '{"metadata":{"name":"b","namespace":"other"}}',
      /^400 BadRequest the namespace of the provided object does not match/,
    ],
    [JSON_TYPE, `{"metadata":{"name":"b"},"data":${nested('{"a":', '}', 9000)}}`, /^400 BadRequest /],
    [JSON_TYPE, '['.repeat(2_000_000), /^400 BadRequest .*exceeded max depth/],
    [
      JSON_TYPE,
      'x'.repeat(3_145_729),
      '413 RequestEntityTooLarge Request entity too large: limit is 3145728',
    ],
    [JSON_TYPE, '{"metadata":{"name":"b"},"data":{"a":1e400}}', /^400 BadRequest /],
    ['application/yaml', 'a: [', /^400 BadRequest /],
    ['application/yaml', `x: ${nested('[', ']', 5000)}`, /^400 BadRequest .*exceeded max depth/],
    ['application/yaml', aliases(9), /^400 BadRequest .*excessive aliasing/],
    ['application/yaml', 'metadata: {name: b, name: c}\n', /^400 BadRequest /],
    ['application/vnd.orch.protobuf', 'k8s', /^400 BadRequest .*does not appear to be a protobuf message/],
    ['application/vnd.orch.protobuf', 'k8s\u0000\u00ff\u00ff\u00ff', /^400 BadRequest /],
    ['text/html', '{}', /^415 UnsupportedMediaType the body of the request was in an unknown format/],
    [';;', '{}', /^415 UnsupportedMediaType /],
    ['application/json, text/html', '{}', /^415 UnsupportedMediaType /],
  ])('a body of %s %#', async (type, body, expected) => {
    await using server = await fixture();
    expect(await refused(server, 'POST', `${MAPS}?fieldValidation=Strict`, { body, type })).toMatch(expected);
  });

  it.each([
    [PATCHES.merge, 'null', /^400 /],
    [PATCHES.merge, '[]', /^400 BadRequest error decoding patch/],
    [PATCHES.merge, '{', /^400 BadRequest error decoding patch/],
    [
      PATCHES.merge,
      '{"metadata":{"name":"other"}}',
      /^400 BadRequest the name of the object \(other\) does not match/,
    ],
    [
      PATCHES.merge,
      '{"metadata":null}',
      /^400 BadRequest the name of the object \(a based on URL\) was undeterminable/,
    ],
    [PATCHES.merge, '{"kind":"Secret"}', /^422 Invalid {2}"" is invalid: patch: /],
    [PATCHES.merge, `{"x":${nested('[', ']', 20_000)}}`, /^400 BadRequest .*exceeded max depth/],
    [PATCHES.json, '{}', /^400 BadRequest error decoding patch/],
    [PATCHES.json, '[{"op":"break"}]', /^4/],
    [PATCHES.json, '[{"op":"replace","path":"","value":5}]', /^422 /],
    [
      PATCHES.json,
      '[{"op":"add","path":"/__proto__/polluted","value":1}]',
      /^422 Invalid the server rejected our request/,
    ],
    [PATCHES.json, '[{"op":"remove","path":"/metadata"}]', /^400 BadRequest the name of the object/],
    [
      PATCHES.json,
      JSON.stringify(Array(10_001).fill({ op: 'test', path: '/kind', value: 'ConfigMap' })),
      /^413 /,
    ],
    [PATCHES.strategic, '"x"', /^4/],
    [PATCHES.strategic, '{"$patch":"nonsense"}', /^4/],
    [PATCHES.apply, 'x: [', /^400 BadRequest error decoding YAML/],
    [PATCHES.apply, '[]', /^400 BadRequest error decoding YAML/],
    [PATCHES.apply, '{}', /^4/],
    ['application/json', '{}', '415 UnsupportedMediaType 415: Unsupported Media Type'],
    ['', '{}', '415 UnsupportedMediaType 415: Unsupported Media Type'],
  ])('a patch of %s %#', async (type, body, expected) => {
    await using server = await fixture();
    expect(await refused(server, 'PATCH', `${MAPS}/a?fieldManager=m`, { body, type })).toMatch(expected);
  });

  it('a header of any length is accepted or rejected', async () => {
    await using server = await fixture();
    const many = Array.from({ length: 20_000 }, (_, i) => `a/b${i};q=0.${i}`).join(',');
    expect((await ask(server, 'GET', MAPS, { headers: { accept: many } })).status).toBe(406);
    // beyond two thousand clauses nothing is acceptable, not even supported types
    expect((await ask(server, 'GET', MAPS, { headers: { accept: `${many},*/*` } })).status).toBe(406);
    const fewer = many.split(',').slice(0, 1_900).join(',');
    expect((await ask(server, 'GET', MAPS, { headers: { accept: `${fewer},*/*` } })).status).toBe(200);
    expect((await ask(server, 'GET', MAPS, { headers: { 'user-agent': 'x'.repeat(100_000) } })).status).toBe(
      200,
    );
    expect(
      (await ask(server, 'GET', MAPS, { headers: { 'audit-id': 'x'.repeat(1000) } })).headers.get('audit-id'),
    ).toHaveLength(1000);
    const headers = { 'user-agent': 'ü'.repeat(5000) };
    expect((await ask(server, 'POST', MAPS, { body: '{"metadata":{"name":"b"}}', headers })).status).toBe(
      201,
    );
  });
});

/** Nested lists: a short text with many values. */
function aliases(depth: number): string {
  const lines = ['a0: &a0 [x,x,x,x,x,x,x,x,x,x]'];
  for (let i = 1; i < depth; i++)
    lines.push(
      `a${i}: &a${i} [${Array(10)
        .fill(`*a${i - 1}`)
        .join(',')}]`,
    );
  return `${lines.join('\n')}\n`;
}

describe('prototype keys', () => {
  const KEYS = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];
  const data = `{${KEYS.map((key) => `"${key}":"of ${key}"`).join(',')}}`;

  it('are ordinary data', async () => {
    await using server = await fixture();
    const expected = JSON.parse(data);
    const stored = async (): Promise<object> => JSON.parse((await ask(server, 'GET', `${MAPS}/p`)).text).data;
    expect(
      (await ask(server, 'POST', MAPS, { body: `{"metadata":{"name":"p"},"data":${data}}` })).status,
    ).toBe(201);
    expect(Object.entries(await stored()).sort()).toEqual(Object.entries(expected).sort());
    for (const [type, body] of [
      [PATCHES.merge, '{"data":{"__proto__":"merge"}}'],
      [PATCHES.strategic, '{"data":{"__proto__":"strategic"}}'],
      [PATCHES.json, '[{"op":"replace","path":"/data/__proto__","value":"json"}]'],
      [PATCHES.apply, '{"apiVersion":"v1","kind":"ConfigMap","data":{"__proto__":"apply"}}'],
    ] as const) {
      const { status } = await ask(
        server,
        'PATCH',
        `${MAPS}/p?fieldManager=m&${type === PATCHES.apply ? 'force=1' : ''}`,
        { body, type },
      );
      expect([type, status, JSON.stringify(await stored())]).toEqual([
        type,
        200,
        expect.stringContaining(`"__proto__":"${/(merge|strategic|json|apply)/.exec(body)?.[0]}"`),
      ]);
    }
    const yaml = `metadata:\n  name: of-yaml\ndata:\n  __proto__: yaml\n  constructor: yaml\n`;
    const made = await ask(server, 'POST', MAPS, {
      body: yaml,
      type: 'application/yaml',
      headers: { accept: 'application/yaml' },
    });
    expect(made.text).toContain('  __proto__: yaml\n  constructor: yaml\n');
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('are unknown fields where they are not declared', async () => {
    await using server = await fixture();
    const body =
      '{"metadata":{"name":"b","__proto__":{"labels":{"a":"b"}}},"__proto__":{"data":{"c":"d"}},"constructor":1}';
    const { status, headers, text } = await ask(server, 'POST', MAPS, { body });
    expect([status, JSON.parse(text).data, JSON.parse(text).metadata.labels]).toEqual([
      201,
      undefined,
      undefined,
    ]);
    expect(headers.get('warning')?.match(/unknown field/g)).toHaveLength(3);
  });

  it('are preserved in types that preserve anything', async () => {
    await using server = await fixture();
    const body = `{"apiVersion":"example.com/v1","kind":"Open","metadata":{"name":"o"},"spec":{"__proto__":{"x":1},"l":[{"__proto__":2}]}}`;
    const { status } = await ask(server, 'POST', OPENS, { body });
    const { text } = await ask(server, 'GET', `${OPENS}/o`);
    expect([status, text]).toEqual([
      201,
      expect.stringContaining('"spec":{"__proto__":{"x":1},"l":[{"__proto__":2}]}'),
    ]);
    const patched = await ask(server, 'PATCH', `${OPENS}/o`, {
      body: '{"spec":{"__proto__":{"y":2}}}',
      type: PATCHES.merge,
    });
    expect(patched.text).toContain('"__proto__":{"x":1,"y":2}');
  });
});

describe('deep nesting', () => {
  it('is accepted up to a thousand levels, and returned in every format', async () => {
    await using server = await fixture();
    const open = (levels: number): string =>
      `{"apiVersion":"example.com/v1","kind":"Open","metadata":{"name":"deep"},"spec":{"x":${nested('[', ']', levels)}}}`;
    for (const levels of [999, 10_000]) {
      const refused = await ask(server, 'POST', OPENS, { body: open(levels) });
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('exceeded max depth')]);
    }
    expect((await ask(server, 'POST', OPENS, { body: open(990) })).status).toBe(201);
    for (const path of [OPENS, `${OPENS}/deep`]) {
      expect((await ask(server, 'GET', path)).text).toContain(nested('[', ']', 990));
      const yaml = await ask(server, 'GET', path, { headers: { accept: 'application/yaml' } });
      expect(yaml.status).toBe(200);
    }
    const label = { body: '{"metadata":{"labels":{"a":"b"}}}', type: PATCHES.merge };
    expect((await ask(server, 'PATCH', `${OPENS}/deep`, label)).status).toBe(200);
    const copy = { body: '[{"op":"copy","from":"/spec/x","path":"/spec/y"}]', type: PATCHES.json };
    expect((await ask(server, 'PATCH', `${OPENS}/deep`, copy)).status).toBeLessThan(500);
    expect((await ask(server, 'DELETE', `${OPENS}/deep`)).status).toBe(200);
  });
});

function toQuery(parameters: readonly (readonly [string, string])[]): string {
  const query = new URLSearchParams();
  for (const [name, value] of parameters) query.append(name, value);
  return query.toString();
}

describe('any request', () => {
  const word = fc.constantFrom(
    '',
    'default',
    'a',
    'b',
    'nowhere',
    'x%y',
    '..',
    '%',
    '%2F',
    '%zz',
    '__proto__',
    'é',
    'A_b',
    ' ',
  );
  const path = fc.oneof(
    fc
      .tuple(
        fc.constantFrom(
          '/api/v1',
          '/apis/example.com/v1',
          '/apis',
          '/api',
          '/apis/coordination.orch.io/v1',
          '/openapi/v3',
          '',
        ),
        fc.array(
          fc.oneof(
            word,
            fc.constantFrom(
              'namespaces',
              'configmaps',
              'secrets',
              'opens',
              'leases',
              'status',
              'finalize',
              'events',
            ),
          ),
          { maxLength: 6 },
        ),
      )
      .map(([root, parts]) => `${root}/${parts.join('/')}`),
    fc.constantFrom(
      MAPS,
      `${MAPS}/a`,
      OPENS,
      `${OPENS}/o`,
      '/healthz',
      '/version',
      '/openapi/v2',
      '/readyz/ping',
    ),
    fc.webPath(),
  );
  const value = fc.oneof(
    fc.constantFrom(
      '',
      '0',
      '1',
      'true',
      '-1',
      '5',
      'All',
      'Strict',
      'Exact',
      'NotOlderThan',
      'Foreground',
      'a=b',
      '1s',
      'None',
      '99999999999999999999',
    ),
    fc.string(),
  );
  const parameter = fc.tuple(
    fc.constantFrom(
      'limit',
      'continue',
      'resourceVersion',
      'resourceVersionMatch',
      'labelSelector',
      'fieldSelector',
      'timeoutSeconds',
      'dryRun',
      'fieldManager',
      'fieldValidation',
      'force',
      'pretty',
      'propagationPolicy',
      'orphanDependents',
      'gracePeriodSeconds',
      'includeObject',
      'hash',
      'exclude',
      'verbose',
      '__proto__',
    ),
    value,
  );
  const type = fc.oneof(
    fc.constantFrom(
      JSON_TYPE,
      'application/yaml',
      'application/vnd.orch.protobuf',
      ...Object.values(PATCHES),
      '',
      'x',
      '*/*',
    ),
    fc.string({ unit: 'grapheme-ascii', maxLength: 20 }),
  );
  const accept = fc.constantFrom(
    '',
    '*/*',
    JSON_TYPE,
    'application/yaml',
    'application/vnd.orch.protobuf',
    'image/png',
    'application/json;as=Table;g=meta.orch.io;v=v1',
    'application/yaml;as=Table;g=meta.orch.io;v=v1beta1',
    'application/json;as=PartialObjectMetadata;g=meta.orch.io;v=v1',
    'application/vnd.orch.protobuf;as=PartialObjectMetadataList;g=meta.orch.io;v=v1',
    'application/json;g=apidiscovery.orch.io;v=v2;as=APIGroupDiscoveryList',
    ',;=q,q=',
    'application/json;q=x',
  );
  const name = fc.constantFrom('a', 'b', 'o', '', 'A b', '__proto__');
  const scalar = fc.oneof(fc.constantFrom<unknown>('', 'x', null, 0, 1.5, true, [], {}), fc.string());
  const metadata = fc.record(
    {
      name,
      namespace: fc.constantFrom('default', 'x'),
      labels: fc.oneof(fc.dictionary(name, scalar), scalar),
      finalizers: fc.oneof(fc.array(scalar, { maxLength: 3 }), scalar),
      resourceVersion: scalar,
      generateName: scalar,
      ownerReferences: fc.array(
        fc.dictionary(fc.constantFrom('uid', 'kind', 'name', 'apiVersion', 'controller'), scalar),
        { maxLength: 3 },
      ),
      managedFields: fc.oneof(
        scalar,
        fc.array(fc.dictionary(fc.constantFrom('manager', 'operation', 'fieldsV1', 'apiVersion'), scalar), {
          maxLength: 2,
        }),
      ),
    },
    { requiredKeys: [] },
  );
  const object = fc.record(
    {
      apiVersion: fc.constantFrom('v1', 'example.com/v1', 'x'),
      kind: fc.constantFrom('ConfigMap', 'Open', 'DeleteOptions', 'x'),
      metadata: fc.oneof(metadata, scalar),
      data: fc.oneof(fc.dictionary(name, scalar), scalar),
      spec: fc.oneof(fc.dictionary(name, scalar), scalar),
      status: scalar,
    },
    { requiredKeys: [] },
  );
  const operation = fc.record(
    {
      op: fc.constantFrom('add', 'remove', 'replace', 'copy', 'move', 'test', 'x'),
      path: fc.constantFrom(
        '',
        '/',
        '/data',
        '/data/k',
        '/metadata',
        '/metadata/labels/x',
        '/__proto__/x',
        'x',
      ),
      from: fc.constantFrom('', '/data', '/metadata'),
      value: scalar,
    },
    { requiredKeys: [] },
  );
  const body = fc.oneof(
    object.map((of) => JSON.stringify(of)),
    fc.array(operation, { maxLength: 4 }).map((of) => JSON.stringify(of)),
    fc.json(),
    fc.string(),
    fc.uint8Array({ maxLength: 40 }),
    fc.uint8Array({ maxLength: 40 }).map((bytes) => new Uint8Array([0x6b, 0x38, 0x73, 0, ...bytes])),
  );
  const wild = fc.record({
    method: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'BREW'),
    path,
    query: fc.array(parameter, { maxLength: 4 }),
    type,
    accept,
    body,
  });
  // mostly valid requests get further
  const likelyName = fc.constantFrom('a', 'b', 'c');
  const rarely = <T>(odd: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
    fc.oneof({ arbitrary: fc.constant(undefined), weight: 19 }, { arbitrary: odd, weight: 1 });
  const likelyObject = fc.record({
    metadata: fc.record({
      name: likelyName,
      labels: fc.dictionary(likelyName, likelyName),
      finalizers: fc.subarray(['example.com/f', 'example.com/g']),
      annotations: fc.oneof(fc.dictionary(likelyName, fc.string()), rarely(scalar)),
      ownerReferences: rarely(scalar),
      deletionTimestamp: rarely(scalar),
    }),
    data: fc.dictionary(likelyName, fc.string()),
    spec: fc.object(),
    immutable: rarely(scalar),
    x: rarely(scalar),
  });
  const likely = fc
    .record({
      collection: fc.constantFrom(MAPS, OPENS),
      name: likelyName,
      method: fc.constantFrom('GET', 'POST', 'POST', 'PUT', 'PATCH', 'PATCH', 'PATCH', 'DELETE'),
      patch: fc.constantFrom(...Object.values(PATCHES)),
      query: rarely(parameter).map((one) => (one ? [one] : [])),
      accept: fc.oneof({ arbitrary: fc.constant(JSON_TYPE), weight: 9 }, { arbitrary: accept, weight: 1 }),
      of: likelyObject,
      operations: fc.array(operation, { maxLength: 3 }),
    })
    .map(({ collection, name: of, method, patch, query, accept: form, of: given, operations }) => {
      const kind =
        collection === MAPS
          ? { apiVersion: 'v1', kind: 'ConfigMap' }
          : { apiVersion: 'example.com/v1', kind: 'Open' };
      const whole = {
        ...kind,
        ...given,
        metadata: { ...given.metadata, ...(method !== 'POST' && { name: of }) },
      };
      const isPatch = method === 'PATCH';
      const sent = isPatch && patch === PATCHES.json ? operations : method === 'DELETE' ? {} : whole;
      return {
        method,
        path: method === 'POST' ? collection : `${collection}/${of}`,
        query: isPatch ? [...query, ['fieldManager', 'm'] as [string, string]] : query,
        type: isPatch ? patch : JSON_TYPE,
        accept: form,
        body: JSON.stringify(sent) as string | Uint8Array,
      };
    });
  const asked = fc.oneof({ arbitrary: wild, weight: 1 }, { arbitrary: likely, weight: 3 });

  it('gets a result or a reason', async () => {
    await using server = await fixture();
    await fc.assert(
      fc.asyncProperty(asked, async ({ method, path: at, query, type: of, accept: form, body: sent }) => {
        const url = `${at.startsWith('//') ? at.slice(1) : at}?${toQuery(query)}`;
        const headers = { accept: form, 'x-audit': 'a' };
        const carries = method !== 'GET' && method !== 'HEAD';
        const answer = await ask(server, method, url, { headers, ...(carries && { body: sent, type: of }) });
        if (faults.length > 0) throw faults.splice(0)[0];
        // an empty kind name in a create with resourceVersion is the one 500 that is a rejection
        const isRefusal =
          answer.status !== 500 ||
          answer.text.includes('resourceVersion should not be set on objects to be created');
        expect([isRefusal, answer.status]).toEqual([true, answer.status]);
        const isText = answer.headers.get('content-type') === 'text/plain; charset=utf-8';
        const isUnreadable = answer.status === 400 && isText;
        expect(isUnreadable || answer.headers.has('audit-id')).toBe(true);
        const isStatus =
          answer.status >= 400 && answer.headers.get('content-type') === JSON_TYPE && method !== 'HEAD';
        if (isStatus) expect(JSON.parse(answer.text)).toMatchObject({ kind: 'Status', code: answer.status });
      }),
      { numRuns: 1500 },
    );
  }, 60_000);

  it('does not change anything if it reads', async () => {
    await using server = await fixture();
    const before = await revision(server);
    await fc.assert(
      fc.asyncProperty(asked, async ({ path: at, query, accept: form }) => {
        await ask(server, 'GET', `${at.startsWith('//') ? at.slice(1) : at}?${toQuery(query)}`, {
          headers: { accept: form },
        });
        expect(await revision(server)).toBe(before);
      }),
      { numRuns: 300 },
    );
  }, 60_000);

  it('with an internal error is reported as such', async () => {
    await using server = await fixture();
    server.health.add({ name: 'broken', check: () => Promise.reject(StatusError.internalError('x')) });
    expect((await ask(server, 'GET', '/healthz')).status).toBe(500);
  });
});
