import {
  type ApiObject,
  encodeBase64,
  type JsonValue,
  orchVocabulary,
  type Transport,
  type TransportRequest,
  type Turns,
} from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import { createAdmissionChain } from '../admission-chain.ts';
import type { AdmissionPlugin } from '../admission-request.ts';
import { requestFor } from '../request.fixture.ts';
import { createMutatingWebhooks } from './mutating-webhooks.ts';
import type { WebhookEnvironment } from './review-by-webhook.ts';
import { createValidatingWebhooks } from './validating-webhooks.ts';
import type { Webhook } from './webhook-configuration.ts';
import { WebhookConfigurations } from './webhook-source.ts';

const page = { apiVersion: 'v1', kind: 'Page', metadata: { name: 'a' }, text: 'x' } as unknown as ApiObject;
const all = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] };

const hook = (name: string, more: Partial<Webhook> = {}): Webhook => ({
  name: `${name}.example.com`,
  clientConfig: { url: `https://hooks.example.com/${name}` },
  rules: [all],
  sideEffects: 'None',
  timeoutSeconds: 10,
  failurePolicy: 'Fail',
  admissionReviewVersions: ['v1'],
  ...more,
});

interface Asked {
  readonly path: string;
  readonly request: { readonly uid: string; readonly object: ApiObject; readonly options: object };
}
type Answer = (asked: Asked, call: TransportRequest) => unknown;

function surroundings(webhooks: readonly Webhook[], responses: Readonly<Record<string, Answer>>) {
  const clock = createSteppedClock(Date.UTC(2024, 0, 1));
  const asked: Asked[] = [];
  const transport: Transport = {
    async request(url, call) {
      const path = new URL(url).pathname.slice(1);
      const { request } = JSON.parse(new TextDecoder().decode(call.body));
      asked.push({ path, request });
      const result = await responses[path]?.({ path, request }, call);
      const { status = 200, text = JSON.stringify(result) } = (result ?? {}) as {
        status?: number;
        text?: string;
      };
      const bytes = new TextEncoder().encode(text);
      return {
        ...{ status, headers: {}, body: async () => bytes },
        async *stream() {
          yield bytes;
        },
      };
    },
  };
  const configurations = new WebhookConfigurations(orchVocabulary);
  configurations.set({ apiVersion: 'v1', kind: 'X', metadata: { name: 'c' }, webhooks });
  const random = { bytes: (bytes: Uint8Array<ArrayBuffer>) => bytes.fill(7) };
  const environment: WebhookEnvironment = {
    ambient: { clock, random, vocabulary: orchVocabulary },
    vocabulary: orchVocabulary,
    authorizer: { authorize: () => ({ decision: 'no-opinion' }) },
    namespace: (name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }),
    caller: { clock, transport },
    source: { current: ({ resource }) => configurations.of(resource) },
  };
  return { clock, asked, environment };
}

const reviewed = ({ request }: Asked, response: object): unknown => ({
  apiVersion: 'admission.orch.io/v1',
  kind: 'AdmissionReview',
  response: { uid: request.uid, allowed: true, ...response },
});
const patching =
  (patch: JsonValue): Answer =>
  (asked) =>
    reviewed(asked, {
      patchType: 'JSONPatch',
      patch: encodeBase64(new TextEncoder().encode(JSON.stringify(patch))),
    });
const appending = (suffix: string): Answer => {
  return (asked) =>
    patching([
      {
        op: 'replace',
        path: '/text',
        value: (asked.request.object as unknown as { text: string }).text + suffix,
      },
    ])(asked, { method: 'POST' });
};

/** One that changes something. */
const PATCH: Uint8Array = new TextEncoder().encode('[{"op":"replace","path":"/text","value":"y"}]');

/** A clock that is a second later whenever it is asked. */
function ticking(): () => number {
  let now = 0;
  return () => (now += 1000);
}

const hostile: readonly (readonly [string, Answer, RegExp])[] = [
  [
    'answers another uid',
    (asked) => reviewed(asked, { uid: 'x' }),
    /expected response\.uid="07.*", got "x"$/,
  ],
  [
    'sends no JSON',
    () => ({ text: '{"a":' }),
    /failed to call webhook: couldn't get version\/kind; json parse error: unexpected end of JSON input$/,
  ],
  [
    'sends nothing',
    () => ({ text: '' }),
    /failed to call webhook: 0-length response with status code: 200 and content type: application\/json$/,
  ],
  [
    'sends no object',
    () => ({ text: '1' }),
    /failed to call webhook: couldn't get version\/kind; json parse error: json: cannot unmarshal number into Go value of type struct {/,
  ],
  [
    'declares no type',
    ({ request: { uid } }) => ({ response: { uid, allowed: true } }),
    /expected webhook response of admission\.orch\.io\/v1, Kind=AdmissionReview, got \/, Kind=$/,
  ],
  ['answers an empty object', () => ({ text: '{}' }), /webhook response was absent$/],
  ['redirects', () => ({ status: 302 }), /the server could not find the requested resource$/],
  ['sends too much', () => ({ text: ' '.repeat(4 * 1024 * 1024) }), /the response is too long$/],
  ['sends many values', () => ({ text: `[${'0,'.repeat(1_500_000)}0]` }), /failed to call webhook: /],
  ['breaks', () => Promise.reject(new Error('broken pipe')), /Post ".*timeout=10s": broken pipe$/],
  [
    'answers text for a boolean',
    (asked) => reviewed(asked, { allowed: 'yes' }),
    /failed to call webhook: json: /,
  ],
];

describe('a validating webhook', () => {
  it('may answer in YAML', async () => {
    const text = (uid: string): string =>
      `kind: AdmissionReview\napiVersion: admission.orch.io/v1\nresponse: {uid: ${uid}, allowed: true, warnings: [w]}\n`;
    const { environment } = surroundings([hook('a')], { a: ({ request }) => ({ text: text(request.uid) }) });
    const warnings: string[] = [];
    const request = requestFor({ object: page, warn: (warning) => warnings.push(warning) });
    await createAdmissionChain([createValidatingWebhooks(environment)]).validate(request);
    expect(warnings).toEqual(['w']);
  });

  it('denies with the status that it gives', async () => {
    const status = { code: 601, message: 'no', metadata: { resourceVersion: '5' }, details: { uid: 'x' } };
    const { environment } = surroundings([hook('a')], {
      a: (asked) => reviewed(asked, { allowed: false, status }),
    });
    const chain = createAdmissionChain([createValidatingWebhooks(environment)]);
    const validation = Promise.resolve(chain.validate(requestFor({ object: page })));
    expect(await validation.catch((error: unknown) => error)).toMatchObject({
      ...{ code: 601, metadata: { resourceVersion: '5' }, details: { uid: 'x' } },
      message: 'admission webhook "a.example.com" denied the request: no',
    });
  });

  it.each(hostile)(
    'that %s fails the requests that it matches, if its policy says so',
    async (_, response, text) => {
      const { environment } = surroundings([hook('a')], { a: response });
      const chain = createAdmissionChain([createValidatingWebhooks(environment)]);
      const validation = Promise.resolve(chain.validate(requestFor({ object: page })));
      const failure = await validation.catch((error: unknown) => error);
      expect(failure).toMatchObject({
        code: 500,
        reason: 'InternalError',
        message: expect.stringMatching(text),
      });
    },
  );

  it.each(hostile)('that %s is passed over with the policy Ignore', async (_, response) => {
    const { environment } = surroundings([hook('a', { failurePolicy: 'Ignore' })], { a: response });
    const noted: [string, string][] = [];
    const request = requestFor({ object: page, annotate: (key, value) => noted.push([key, value]) });
    await createAdmissionChain([createValidatingWebhooks(environment)]).validate(request);
    expect(noted).toEqual([
      ['failed-open.validating.webhook.admission.orch.io/round_0_index_0', 'a.example.com'],
    ]);
  });

  it('that is silent fails after its timeout, and holds up no other request', async () => {
    const silent: Answer = (_, { signal }) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))));
    const rules = [{ ...all, resources: ['pages'] }];
    const { environment, clock } = surroundings([hook('a', { rules, timeoutSeconds: 3 })], { a: silent });
    const chain = createAdmissionChain([createValidatingWebhooks(environment)]);
    const validation = Promise.resolve(chain.validate(requestFor({ object: page })));
    const waiting = validation.catch((error: Error) => error.message);
    const other = { group: '', version: 'v1', resource: 'books' };
    await chain.validate(requestFor({ object: page, resource: other }));
    await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(3000);
    expect(await waiting).toMatch(/\?timeout=3s": context deadline exceeded$/);
  });

  it('ends when the response of the request is due, and is told so', async () => {
    const silent: Answer = (_, { signal }) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))));
    const { environment, clock } = surroundings([hook('a', { timeoutSeconds: 10 })], { a: silent });
    const chain = createAdmissionChain([createValidatingWebhooks(environment)]);
    const request = requestFor({ object: page, endsAt: clock.monotonic() + 1500 });
    const waiting = Promise.resolve(chain.validate(request)).catch((error: Error) => error.message);
    await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(1500);
    expect(await waiting).toMatch(/\?timeout=2s": context deadline exceeded$/);
  });

  it('that answers much is read in its turn, with pauses, and what it says is passed on', async () => {
    const annotations = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, 'v']));
    const warnings = Array.from({ length: 60_000 }, (_, i) => `w${i}`);
    const much = { auditAnnotations: annotations, warnings };
    const pausesFor = async (response: object): Promise<number> => {
      const { environment } = surroundings([hook('a')], { a: (asked) => reviewed(asked, response) });
      let pauses = 0;
      const turns: Turns = { pause: async () => void pauses++ } as unknown as Turns;
      // each look at the clock is long after the last one, so that there is a pause wherever there can be one
      const ambient = {
        ...environment.ambient,
        turns,
        clock: { ...environment.ambient.clock, monotonic: ticking() },
      };
      const caller = { ...environment.caller, turns, clock: ambient.clock };
      const chain = createAdmissionChain([createValidatingWebhooks({ ...environment, ambient, caller })]);
      const noted: string[] = [];
      const warned: string[] = [];
      const warn = (text: string): void => void warned.push(text);
      const request = requestFor({ object: page, annotate: (key) => noted.push(key), warn });
      await chain.validate(request);
      expect([noted.length, warned.length]).toEqual(response === much ? [20_000, 60_000] : [0, 0]);
      return pauses;
    };
    expect(await pausesFor({})).toBe(0);
    expect(await pausesFor(much)).toBeGreaterThan(20);
  });

  it('is not asked about configurations of webhooks', async () => {
    const { environment, asked } = surroundings([hook('a')], { a: (given) => reviewed(given, {}) });
    const resource = {
      group: 'admissionregistration.orch.io',
      version: 'v1',
      resource: 'validatingwebhookconfigurations',
    };
    await createAdmissionChain([createValidatingWebhooks(environment)]).validate(
      requestFor({ object: page, resource }),
    );
    expect(asked).toEqual([]);
  });
});

describe('mutating webhooks', () => {
  it('are noted by their place among all, those of other resources included', async () => {
    const others = { rules: [{ ...all, resources: ['others'] }] };
    const { environment, asked } = surroundings([hook('a', others), hook('b')], { b: appending('!') });
    const noted: string[] = [];
    const request = requestFor({ object: page, annotate: (key) => noted.push(key) });
    await createAdmissionChain([createMutatingWebhooks(environment)]).mutate(request);
    expect(asked.map(({ path }) => path)).toEqual(['b']);
    expect(noted).toContain('mutation.webhook.admission.orch.io/round_0_index_1');
  });

  it('are noted with patches that change nothing, as they are encoded, and with annotations that have a name', async () => {
    const patch =
      '[ {"value": "x<", "path": "/text", "op": "add"}, {"op": "replace", "path": "/text", "value": "x"} ]';
    const auditAnnotations = { named: 'v', '': 'v', 'a/b': 'v', 'a b': 'v' };
    const changing: Answer = (asked) =>
      reviewed(asked, {
        patchType: 'JSONPatch',
        patch: encodeBase64(new TextEncoder().encode(patch)),
        auditAnnotations,
      });
    const { environment } = surroundings([hook('a')], { a: changing });
    const noted: [string, string][] = [];
    const annotateContent = (key: string, makeValue: () => string): void =>
      void noted.push([key, makeValue()]);
    const request = requestFor({
      object: page,
      annotateContent,
      annotate: (key, value) => noted.push([key, value]),
    });
    await createAdmissionChain([createMutatingWebhooks(environment)]).mutate(request);
    expect(noted.map(([key]) => key)).toEqual([
      'a.example.com/named',
      'patch.webhook.admission.orch.io/round_0_index_0',
      'mutation.webhook.admission.orch.io/round_0_index_0',
    ]);
    expect(noted[1]?.[1]).toBe(
      '{"configuration":"c","webhook":"a.example.com","patch":[{"op":"add","path":"/text","value":"x\\u003c"},{"op":"replace","path":"/text","value":"x"}],"patchType":"JSONPatch"}',
    );
    expect(noted[2]?.[1]).toMatch(/"mutated":false/);
  });

  it('whose patch is not base64 have given no response', async () => {
    const broken: Answer = (asked) => reviewed(asked, { patchType: 'JSONPatch', patch: '%' });
    const admitted = (failurePolicy: string) => {
      const { environment } = surroundings([hook('a', { failurePolicy })], { a: broken });
      return createAdmissionChain([createMutatingWebhooks(environment)]).mutate(requestFor({ object: page }));
    };
    await expect(admitted('Fail')).rejects.toThrow(
      'failed to call webhook: illegal base64 data at input byte 0',
    );
    expect(await admitted('Ignore')).toEqual(page);
  });

  it('whose patch is of an unknown type have failed', async () => {
    const merging: Answer = (asked) =>
      reviewed(asked, { patchType: 'MergePatch', patch: encodeBase64(PATCH) });
    const admitted = (failurePolicy: string) => {
      const { environment } = surroundings([hook('a', { failurePolicy })], { a: merging });
      return createAdmissionChain([createMutatingWebhooks(environment)]).mutate(requestFor({ object: page }));
    };
    await expect(admitted('Fail')).rejects.toThrow(': unsupported patch type "MergePatch"');
    expect(await admitted('Ignore')).toEqual(page);
  });

  it('see the options of a request with their type first', async () => {
    const { environment, asked } = surroundings([hook('a')], { a: (given) => reviewed(given, {}) });
    const request = requestFor({ object: page, options: { fieldManager: 'm' } });
    await createAdmissionChain([createMutatingWebhooks(environment)]).mutate(request);
    expect(Object.keys(asked[0]?.request.options ?? {})).toEqual(['kind', 'apiVersion', 'fieldManager']);
  });

  const texts = (object: ApiObject | undefined) => (object as unknown as { text: string }).text;

  it('see what those before them changed, and are asked again as their policy says', async () => {
    const { environment, asked } = surroundings(
      [
        hook('a', { reinvocationPolicy: 'IfNeeded' }),
        hook('b'),
        hook('c', { reinvocationPolicy: 'IfNeeded' }),
      ],
      { a: appending('a'), b: appending('b'), c: (given) => reviewed(given, {}) },
    );
    const chain = createAdmissionChain([createMutatingWebhooks(environment)]);
    expect(texts(await chain.mutate(requestFor({ object: page })))).toBe('xaba');
    expect(asked.map(({ path }) => path)).toEqual(['a', 'b', 'c', 'a', 'c']);
  });

  it('make other plugins run once more, which make webhooks run again if they change something', async () => {
    const { environment, asked } = surroundings([hook('a', { reinvocationPolicy: 'IfNeeded' })], {
      a: appending('a'),
    });
    const plugin: AdmissionPlugin = {
      name: 'Marks',
      handles: () => true,
      admit: ({ object }, { round }) =>
        round === 1 ? ({ ...object, text: `${texts(object)}!` } as unknown as ApiObject) : undefined,
    };
    const chain = createAdmissionChain([plugin, createMutatingWebhooks(environment)]);
    expect(texts(await chain.mutate(requestFor({ object: page })))).toBe('xa!a');
    expect(asked).toHaveLength(2);
  });

  it.each([
    ['is no patch', patching({ op: 'add' })],
    ['does not apply', patching([{ op: 'remove', path: '/none' }])],
    ['has too many operations', patching(Array(10_001).fill({ op: 'test', path: '/text', value: 'x' }))],
  ])('whose patch %s fail the request whatever their failure policy', async (_, response) => {
    const { environment } = surroundings([hook('a', { failurePolicy: 'Ignore' })], { a: response });
    const chain = createAdmissionChain([createMutatingWebhooks(environment)]);
    await expect(chain.mutate(requestFor({ object: page }))).rejects.toMatchObject({ code: 500 });
  });

  it('with side effects refuse a dry run', async () => {
    const { environment, asked } = surroundings([hook('a', { sideEffects: 'Some' })], {});
    const chain = createAdmissionChain([createMutatingWebhooks(environment)]);
    await expect(chain.mutate(requestFor({ object: page, dryRun: true }))).rejects.toThrow(
      'admission webhook "a.example.com" does not support dry run',
    );
    expect(asked).toEqual([]);
  });

  it.each([
    ['https://hooks.example.com//a/./b/../c/', 'a/c'],
    ['https://hooks.example.com/../a', 'a'],
    ['https://hooks.example.com', ''],
  ])('are called at clean paths: %s', async (url, path) => {
    const { environment, asked } = surroundings([hook('a', { clientConfig: { url } })], {
      [path]: (each) => reviewed(each, {}),
    });
    await createAdmissionChain([createValidatingWebhooks(environment)]).validate(
      requestFor({ object: page }),
    );
    expect(asked.map((each) => each.path)).toEqual([path]);
  });
});
