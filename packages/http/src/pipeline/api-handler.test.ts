import { type Authentication, type AuthorizationAttributes, orchVocabulary, StatusError } from '@ashlar/core';
import type { ResourceDefinition, ResourceStorage } from '@ashlar/registry';
import { describe, expect, it } from 'vitest';
import { createTestApi, type TestApi, toRequest } from '../testing/test-api.fixture.ts';
import { namespaces, notes, reviews, widgets } from '../testing/test-resources.fixture.ts';
import type { ApiHandlerOptions } from './api-handler-options.ts';

const SECRET = new Error('/etc/secret');
const throwing = (): never => {
  throw SECRET;
};

const NOTES = '/api/v1/namespaces/x/notes';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** An API whose notes support the given verbs. */
const serving = (storage: ResourceStorage): TestApi =>
  createTestApi({ definitions: [namespaces, { ...notes, storage } as ResourceDefinition] });

describe('every response', () => {
  it('has the audit id of the request', async () => {
    const api = createTestApi();
    for (const path of ['/version', NOTES, '/none', `${NOTES}/none`]) {
      const { headers } = await api.ask('GET', path);
      expect(headers['audit-id']).toMatch(UUID);
      const given = await api.ask('GET', path, { headers: { 'Audit-ID': 'mine' } });
      expect(given.headers['audit-id']).toBe('mine');
    }
  });

  it('must not be cached', async () => {
    expect((await createTestApi().ask('GET', NOTES)).headers['cache-control']).toBe('no-cache, private');
  });

  it('contains warnings, also of rejected requests', async () => {
    const api = createTestApi();
    const body = { metadata: { name: 'a' }, other: 1, 'ключ"': 2 };
    const made = await api.ask('POST', NOTES, body);
    const warnings = (made.headers.warning as string[]).map((line) => Buffer.from(line, 'latin1').toString());
    expect([made.status, warnings]).toEqual([
      201,
      ['299 - "unknown field \\"other\\""', '299 - "unknown field \\"ключ\\\\\\"\\""'],
    ]);
    const refused = await api.ask('POST', NOTES, body);
    expect([refused.status, refused.headers.warning]).toEqual([409, made.headers.warning]);
  });

  it('contains a bounded number of warnings', async () => {
    const body = Object.fromEntries(
      Array.from({ length: 5000 }, (_, i) => [`field${i}`, 'x'.repeat(i % 300)]),
    );
    const { status, headers } = await createTestApi().ask('POST', NOTES, {
      metadata: { name: 'a' },
      ...body,
    });
    expect([status, JSON.stringify(headers).length < 10_000]).toEqual([201, true]);
  });
});

describe('before startup is complete', () => {
  it('an unknown path may become known', async () => {
    let isComplete = false;
    const api = createTestApi({ isComplete: () => isComplete });
    for (const path of ['/apis/example.com/v1/others', '/apis/other.example.com', '/none']) {
      isComplete = false;
      const early = await api.ask('GET', path);
      expect([early.status, early.json, early.headers['retry-after']]).toEqual([
        503,
        expect.objectContaining({
          reason: 'ServiceUnavailable',
          message:
            'the request has been made before all known HTTP paths have been installed, please try again',
          details: { retryAfterSeconds: 5 },
        }),
        '5',
      ]);
      isComplete = true;
      expect((await api.ask('GET', path)).status).toBe(404);
    }
  });

  it('the time of arrival counts', async () => {
    let isComplete = false;
    const authenticator = {
      authenticate: async () => {
        isComplete = true;
        return { outcome: 'authenticated', user: { name: 'u', groups: [] } } as const;
      },
    };
    const api = createTestApi({ isComplete: () => isComplete, authenticator });
    expect((await api.ask('GET', '/none')).status).toBe(503);
    expect((await api.ask('GET', '/none')).status).toBe(404);
  });

  it('known resources are served, and missing objects are 404', async () => {
    const api = createTestApi({ isComplete: () => false });
    expect((await api.ask('GET', NOTES)).status).toBe(200);
    expect((await api.ask('GET', `${NOTES}/none`)).status).toBe(404);
  });
});

describe('authentication and authorization', () => {
  it('require a known user', async () => {
    for (const found of [{ outcome: 'none' }, { outcome: 'rejected', error: new Error('why') }] as const) {
      const api = createTestApi({ authenticator: { authenticate: async () => found } });
      for (const path of [NOTES, '/none', '/api', `${NOTES}?watch=1`]) {
        const { status, json, headers } = await api.ask('GET', path);
        expect([status, json]).toEqual([
          401,
          {
            kind: 'Status',
            apiVersion: 'v1',
            metadata: {},
            status: 'Failure',
            message: 'Unauthorized',
            reason: 'Unauthorized',
            code: 401,
          },
        ]);
        expect(headers).not.toHaveProperty('www-authenticate');
      }
    }
  });

  it.each<[string, Partial<ApiHandlerOptions>]>([
    ['an authenticator that throws', { authenticator: { authenticate: throwing } }],
    ['an authenticator that rejects', { authenticator: { authenticate: () => Promise.reject(SECRET) } }],
    ['an authorizer that throws', { authorizer: { authorize: throwing } }],
    ['an authorizer that rejects', { authorizer: { authorize: () => Promise.reject(SECRET) } }],
  ])('hide failures of %s from the caller, and report them to the host', async (_name, options) => {
    const reported: unknown[] = [];
    const api = createTestApi({ ...options, onError: (error) => reported.push(error) });
    const { status, text } = await api.ask('GET', NOTES);
    expect(status).toBe(500);
    expect(text).toMatch(/^Internal Server Error: .*an (authenticator|authorizer) failed\n$/);
    expect(reported.map((error) => (error as Error).cause ?? error)).toEqual([SECRET]);
  });

  it('check permissions before the path is resolved', async () => {
    const api = createTestApi({
      authorizer: { authorize: () => ({ decision: 'no-opinion', reason: 'why' }) },
    });
    const refused = await api.ask('GET', `${NOTES}/a<b>`);
    expect([refused.status, refused.headers['x-content-type-options'], refused.json]).toMatchObject([
      403,
      'nosniff',
      {
        reason: 'Forbidden',
        message:
          'notes "a<b>" is forbidden: User "alice" cannot get resource "notes" in API group "" in the namespace "x": why',
        details: { name: 'a<b>', kind: 'notes' },
      },
    ]);
    const path = await api.ask('GET', '/none<x>');
    expect([path.status, path.json.message]).toEqual([
      403,
      'forbidden: User "alice" cannot get path "/none&lt;x&gt;": why',
    ]);
  });

  it('pass all attributes to the authorizer', async () => {
    const seen: AuthorizationAttributes[] = [];
    const authorizer = {
      authorize: async (attributes: AuthorizationAttributes) => {
        seen.push(attributes);
        return { decision: 'allow' as const };
      },
    };
    const api = createTestApi({ authorizer });
    await api.ask('GET', `${NOTES}/a/status`);
    await api.ask('GET', `${NOTES}?labelSelector=a%3Db&fieldSelector=metadata.name%3Dn`);
    await api.ask('POST', '/healthz');
    expect(seen).toEqual([
      {
        user: { name: 'alice', groups: [] },
        verb: 'get',
        isResourceRequest: true,
        apiGroup: '',
        apiVersion: 'v1',
        resource: 'notes',
        subresource: 'status',
        namespace: 'x',
        name: 'a',
        path: `${NOTES}/a/status`,
      },
      expect.objectContaining({
        verb: 'list',
        name: 'n',
        labelSelector: 'a=b',
        fieldSelector: 'metadata.name=n',
      }),
      expect.objectContaining({ verb: 'post', isResourceRequest: false, path: '/healthz' }),
    ]);
  });

  it('require the right to create for a PUT that creates', async () => {
    const authorizer = {
      authorize: ({ verb }: AuthorizationAttributes) => ({
        decision: verb === 'create' ? ('deny' as const) : ('allow' as const),
      }),
    };
    const api = createTestApi({ authorizer });
    const { status, json } = await api.ask('PUT', `${NOTES}/a`, { metadata: { name: 'a' } });
    expect([status, json.message]).toEqual([
      403,
      'notes "a" is forbidden: User "alice" cannot create resource "notes" in API group "" in the namespace "x"',
    ]);
    expect((await api.ask('GET', `${NOTES}/a`)).status).toBe(404);
  });

  it('report an authorizer that fails', async () => {
    const authorizer = {
      authorize: () => ({ decision: 'no-opinion' as const, error: new Error('no <answer>') }),
    };
    const { status, headers, text } = await createTestApi({ authorizer }).ask('GET', `${NOTES}?a=b`);
    expect([status, headers['content-type'], text]).toEqual([
      500,
      'text/plain; charset=utf-8',
      `Internal Server Error: "${NOTES}?a=b": no &lt;answer&gt;\n`,
    ]);
  });
});

describe('internal errors', () => {
  it('are logged, and bugs are hidden from the caller', async () => {
    const mistake = new TypeError('undefined is not a function');
    const api = serving({ get: () => Promise.reject(mistake) });
    const { status, headers, text } = await api.ask('GET', `${NOTES}/a`);
    expect([status, headers['content-type'], text]).toEqual([
      500,
      'text/plain; charset=utf-8',
      'This request caused apiserver to panic. Look in the logs for details.\n',
    ]);
    expect(api.faults).toEqual([mistake]);
  });

  it('of the store are only logged', async () => {
    const api = serving({ get: () => Promise.reject(new Error('/var/lib/state.db: the disk is full')) });
    const { status, json } = await api.ask('GET', `${NOTES}/a`);
    expect([status, json]).toEqual([
      500,
      {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        reason: 'InternalError',
        message: 'Internal error occurred: see the log of the server for details',
        code: 500,
      },
    ]);
    expect(api.faults).toHaveLength(1);
  });

  it('do not include rejections', async () => {
    const api = serving({ get: () => Promise.reject(StatusError.tooManyRequests('later', 7)) });
    const { status, headers } = await api.ask('GET', `${NOTES}/a`);
    expect([status, headers['retry-after'], api.faults]).toEqual([429, '7', []]);
  });

  it('of authenticators are logged, too', async () => {
    const api = createTestApi({ authenticator: { authenticate: () => Promise.reject(new RangeError('x')) } });
    expect((await api.ask('GET', NOTES)).status).toBe(500);
    expect(api.faults).toHaveLength(1);
  });

  it('become a 504 if anything takes too long', async () => {
    const never = new Promise<never>(() => {});
    const slow = [
      serving({ get: () => never }),
      createTestApi({ authenticator: { authenticate: () => never } }),
      createTestApi({ authorizer: { authorize: () => never } }),
    ];
    for (const api of slow) {
      const asking = api.ask('GET', `${NOTES}/a?timeout=2s`);
      api.clock.advance(1999);
      api.clock.advance(1);
      const { status, headers, text } = await asking;
      expect([status, headers['content-type'], JSON.parse(text)]).toEqual([
        504,
        'text/plain; charset=utf-8',
        {
          metadata: {},
          status: 'Failure',
          message: 'Timeout: request did not complete within the allotted timeout',
          reason: 'Timeout',
          details: {},
          code: 504,
        },
      ]);
    }
  });
});

describe('a request after its deadline', () => {
  const over = (api: ReturnType<typeof createTestApi>): void => {
    api.clock.advance(60_000);
  };
  /** Room for one request, used by a caller that sends no body. */
  const filled = () => {
    const api = createTestApi({ limits: { mutating: 1 } });
    const request = { ...toRequest('POST', NOTES), body: () => new Promise<never>(() => {}) };
    return { api, silent: api.handler(request) };
  };

  it('releases its in-flight slot immediately, although its body has not arrived', async () => {
    const { api, silent } = filled();
    await Promise.resolve();
    expect((await api.ask('POST', NOTES, { metadata: { name: 'a' } })).status).toBe(429);
    over(api);
    expect((await silent).status).toBe(504);
    expect((await api.ask('POST', NOTES, { metadata: { name: 'a' } })).status).toBe(201);
  });

  it('does nothing more when authentication ends late', async () => {
    let known: () => void = () => {};
    const user = { name: 'late', groups: [] };
    const authenticate = () =>
      new Promise<Authentication>((resolve) => {
        known = () => resolve({ outcome: 'authenticated', user });
      });
    const asked: string[] = [];
    const authorize = ({ verb }: { verb: string }) => {
      asked.push(verb);
      return { decision: 'allow' as const };
    };
    const api = createTestApi({ authenticator: { authenticate }, authorizer: { authorize } });
    const response = api.handler(toRequest('POST', NOTES, { metadata: { name: 'a' } }));
    over(api);
    expect((await response).status).toBe(504);
    known();
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toEqual([]);
  });
});

describe('a request', () => {
  it('is rejected for its deadline before authentication', async () => {
    const api = createTestApi({ authenticator: { authenticate: () => ({ outcome: 'none' }) } });
    expect((await api.ask('GET', `${NOTES}?timeout=x`)).status).toBe(400);
  });

  it('whose body is cut off returns 400', async () => {
    const api = createTestApi();
    for (const method of ['POST', 'DELETE']) {
      const request = { ...toRequest(method, NOTES), body: () => Promise.reject(new Error('aborted')) };
      expect((await api.handler(request)).status).toBe(400);
    }
    expect(api.faults).toEqual([]);
  });

  it('is rejected for an invalid path', async () => {
    const { status, text, headers } = await createTestApi().ask('GET', '/api/v1/%zz');
    expect([status, text, headers]).toEqual([
      400,
      '400 Bad Request',
      { 'content-type': 'text/plain; charset=utf-8' },
    ]);
  });

  it('counts as in flight until it is answered, unless it is a watch', async () => {
    let result: () => void = () => {};
    const waiting = new Promise<void>((resolve) => {
      result = resolve;
    });
    const storage = {
      get: () => waiting.then(() => ({}) as never),
      list: () => ({ items: [], resourceVersion: '1' }),
    };
    const api = createTestApi({
      limits: { readOnly: 1 },
      definitions: [namespaces, widgets, { ...notes, storage } as ResourceDefinition],
    });
    const first = api.ask('GET', `${NOTES}/a`);
    const second = await api.ask('GET', NOTES);
    expect([second.status, second.headers['retry-after'], second.text]).toEqual([
      429,
      '1',
      'Too many requests, please try again later.\n',
    ]);
    const watching = await api.handler(toRequest('GET', '/apis/example.com/v1/widgets?watch=1'));
    expect(watching.status).toBe(200);
    result();
    await first;
    expect((await api.ask('GET', NOTES)).status).toBe(200);
  });

  it.each([
    ['OPTIONS', NOTES],
    ['PUT', NOTES],
    ['POST', `${NOTES}/a`],
    ['POST', `${NOTES}/a/status`],
    ['DELETE', `${NOTES}/a/status`],
    ['GET', '/apis/example.com/v1/reviews'],
  ])('with an unsupported method is rejected: %s %s', async (method, path) => {
    const api = createTestApi({ definitions: [namespaces, notes, reviews] });
    const { status, headers, json } = await api.ask(method, path);
    expect([status, headers.allow, json.message]).toEqual([
      405,
      undefined,
      'the server does not allow this method on the requested resource',
    ]);
  });

  it('names the verb if a custom type does not support it', async () => {
    const storage: ResourceStorage = { get: () => ({}) as never };
    const api = createTestApi({ definitions: [{ ...widgets, storage }] });
    const { status, json } = await api.ask('DELETE', '/apis/example.com/v1/namespaces/x/widgets/a');
    expect([status, json.message, json.details]).toEqual([
      405,
      'delete is not supported on resources of kind "widgets.example.com"',
      { group: 'example.com', kind: 'widgets' },
    ]);
    const options = await api.ask('OPTIONS', '/apis/example.com/v1/namespaces/x/widgets/a');
    expect(options.json.message).toBe(' is not supported on resources of kind "widgets.example.com"');
  });

  it('for a connect subresource reaches the host', async () => {
    const api = createTestApi({ definitions: [reviews] });
    const { status, json } = await api.ask('POST', '/apis/example.com/v1/reviews', {
      metadata: {},
      text: 't',
    });
    expect([status, json.verdict, json.text]).toEqual([201, 'good', 't']);
  });

  it('for an unknown path gets plain text', async () => {
    const { status, text, headers } = await createTestApi().ask('GET', '/nothing');
    expect([status, text, headers['x-content-type-options']]).toEqual([
      404,
      '404 page not found\n',
      'nosniff',
    ]);
  });

  it('for the version gets indented JSON', async () => {
    const api = createTestApi();
    for (const path of ['/version', '/version/']) {
      const { text, headers } = await api.ask('GET', path);
      expect([text.startsWith('{\n  "major": "1"'), headers['content-type']]).toEqual([
        true,
        'application/json',
      ]);
    }
    expect((await api.ask('GET', '/version/x')).status).toBe(404);
  });
});

describe('failures', () => {
  it("are encoded in the caller's format", async () => {
    const api = createTestApi();
    const failure = async (accept: string) => api.ask('GET', `${NOTES}/none`, { headers: { accept } });
    expect((await failure('application/yaml')).text).toMatch(/^apiVersion: v1\ncode: 404\n/);
    const protobuf = await failure(orchVocabulary.protobufMediaType);
    expect([protobuf.status, protobuf.headers['content-type'], protobuf.text.slice(0, 3)]).toEqual([
      404,
      orchVocabulary.protobufMediaType,
      'k8s',
    ]);
    const table = await failure('application/json;as=Table;g=meta.orch.io;v=v1');
    expect([table.status, table.json.kind]).toEqual([404, 'Status']);
  });
});
