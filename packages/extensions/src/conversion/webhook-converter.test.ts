import { type ApiObject, Metrics, orchVocabulary, type Transport, type TransportRequest } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import { established, v1, widgets } from '../definitions/definition.fixture.ts';
import { ConversionMetrics } from './conversion-metrics.ts';
import { acceptConvertedSteps } from './converted-objects.ts';
import { createConverter } from './converter.ts';

const clock = createSteppedClock(Date.UTC(2024, 0, 1));
const ambient = {
  clock,
  vocabulary: orchVocabulary,
  random: { bytes: (bytes: Uint8Array<ArrayBuffer>) => bytes.fill(7) },
};
const definition = established(
  widgets({
    versions: [v1, { ...v1, name: 'v2', storage: false }],
    conversion: {
      strategy: 'Webhook',
      webhook: {
        conversionReviewVersions: ['v1'],
        clientConfig: { service: { name: 's', namespace: 'n', path: 'c' } },
      },
    },
  }),
);
const a = {
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'a', namespace: 'n', uid: 'u', resourceVersion: '3', labels: { x: '1' } },
  spec: { size: 1 },
} as unknown as ApiObject;
const b = { ...a, metadata: { ...a.metadata, name: 'b', uid: 'w' } } as ApiObject;

interface Asked {
  readonly url: string;
  readonly request: TransportRequest;
  readonly review: { request: { uid: string; desiredAPIVersion: string; objects: ApiObject[] } };
}

function transport(
  outcome: (asked: Asked) => unknown,
  status = 200,
): Transport & { readonly asked: Asked[] } {
  const asked: Asked[] = [];
  return {
    asked,
    async request(url, request) {
      const review = JSON.parse(new TextDecoder().decode(request.body));
      asked.push({ url, request, review });
      const given = outcome({ url, request, review });
      const bytes = new TextEncoder().encode(typeof given === 'string' ? given : JSON.stringify(given));
      return {
        status,
        headers: {},
        body: async () => bytes,
        async *stream() {
          yield bytes;
        },
      };
    },
  };
}

const answered = ({ review }: Asked, change: (object: ApiObject) => unknown, more: object = {}) => ({
  kind: 'ConversionReview',
  apiVersion: 'apiextensions.orch.io/v1',
  response: {
    uid: review.request.uid,
    result: { status: 'Success' },
    convertedObjects: review.request.objects.map(change),
    ...more,
  },
});
const toV2 = (object: ApiObject): ApiObject => ({ ...object, apiVersion: 'example.com/v2' });
const convert = (via: Transport | undefined, objects: readonly ApiObject[] = [a]) =>
  createConverter(definition, { ambient, transport: via })?.convert(objects, 'example.com/v2');

describe('a conversion webhook', () => {
  it('is called once for all objects, and only labels and annotations of metadata are used', async () => {
    const via = transport((asked) =>
      answered(asked, (object) => ({
        ...toV2(object),
        metadata: { ...object.metadata, resourceVersion: '99', generation: 4, labels: { y: '2' } },
        spec: { size: 2 },
      })),
    );
    const converted = await convert(via, [a, b]);
    expect(via.asked).toHaveLength(1);
    expect(via.asked[0]?.url).toBe('https://s.n.svc:443/c?timeout=30s');
    expect(via.asked[0]?.request.headers).toMatchObject({
      accept: 'application/json, */*',
      'user-agent': 'orch-apiserver-admission',
    });
    expect(via.asked[0]?.request.tls).toEqual({ serverName: 's.n.svc' });
    expect(via.asked[0]?.review.request).toMatchObject({
      desiredAPIVersion: 'example.com/v2',
      objects: [a, b],
    });
    expect(converted).toEqual(
      [a, b].map(({ metadata }) => ({
        apiVersion: 'example.com/v2',
        kind: 'Widget',
        metadata: { ...metadata, labels: { y: '2' } },
        spec: { size: 2 },
      })),
    );
  });

  it('may return thousands of objects, between which others are let in', () => {
    const objects = Array.from({ length: 3_000 }, () => a);
    const steps = acceptConvertedSteps('it', objects, objects.map(toV2), 'example.com/v2');
    let pauses = 0;
    while (!steps.next().done) pauses++;
    expect(pauses).toBe(3_000);
  });

  const name = 'conversion webhook for example.com/v1, Kind=Widget';
  it.each([
    [
      'lies about the question',
      (asked: Asked) => answered(asked, toV2, { uid: 'x' }),
      /failed: expected response\.uid=".*", got "x"$/,
    ],
    [
      'says no',
      (asked: Asked) => answered(asked, toV2, { result: { status: 'Failure' } }),
      /failed: response\.result\.status was 'Failure', not 'Success'$/,
    ],
    [
      'says why not',
      (asked: Asked) => answered(asked, toV2, { result: { status: 'Failure', message: 'no' } }),
      /failed: no$/,
    ],
    [
      'answers something else',
      () => ({ kind: 'Pod', apiVersion: 'v1' }),
      /failed: no kind "Pod" is registered for version "v1" in scheme "pkg\/runtime\/scheme\.go:100"$/,
    ],
    [
      'answers nothing',
      () => ({ kind: 'ConversionReview', apiVersion: 'apiextensions.orch.io/v1' }),
      /failed: no response provided$/,
    ],
    [
      'gives too few',
      (asked: Asked) => answered(asked, toV2, { convertedObjects: [] }),
      /returned 0 objects, expected 1$/,
    ],
    [
      'does not convert',
      (asked: Asked) => answered(asked, (object) => object),
      /returned invalid object at index 0: invalid groupVersion \(expected example\.com\/v2, received example\.com\/v1\)$/,
    ],
    [
      'exchanges kinds',
      (asked: Asked) => answered(asked, (object) => ({ ...toV2(object), kind: 'Other' })),
      /invalid kind \(expected Widget, received Other\)$/,
    ],
    [
      'exchanges objects',
      (asked: Asked) =>
        answered(asked, (object) => ({ ...toV2(object), metadata: { ...object.metadata, uid: 'z' } })),
      /returned invalid object: must have the same UID: u != z$/,
    ],
    [
      'spoils labels',
      (asked: Asked) =>
        answered(asked, (object) => ({
          ...toV2(object),
          metadata: { ...object.metadata, labels: { x: 1 } },
        })),
      /returned invalid metadata: metadata\.labels\[x\] must be a string, but is int64 in converted object$/,
    ],
    [
      'enlarges an object beyond all bounds',
      (asked: Asked) =>
        answered(asked, (object) => ({
          ...toV2(object),
          spec: Object.fromEntries(Array.from({ length: 31_251 }, (_each, i) => [`k${i}`, i])),
        })),
      /failed: the document is too large: it has more than 31250 members in one object$/,
    ],
    ['sends no JSON', () => 'garbage', /failed: couldn't get version\/kind; json parse error: /],
    [
      'sends no object',
      () => [1, 2],
      /failed: couldn't get version\/kind; json parse error: json: cannot unmarshal array/,
    ],
  ])('that %s fails requests that need it', async (_, outcome, text) => {
    const failure = await Promise.resolve(convert(transport(outcome))).catch((error: unknown) => error);
    expect(failure).toMatchObject({ status: { code: 500, message: expect.stringMatching(text) } });
    expect((failure as Error).message.startsWith(name)).toBe(true);
  });

  it.each([
    [null, 'unexpected end of JSON input'],
    ['x', 'json: cannot unmarshal string into Go value of type map[string]interface {}'],
    [{}, "Object 'Kind' is missing in '{}'"],
  ])('that makes %j of an object fails requests that need it', async (made, text) => {
    const outcome = (asked: Asked) => answered(asked, () => made as unknown as ApiObject);
    await expect(convert(transport(outcome))).rejects.toThrow(text);
  });

  it('that rejects fails requests that need it', async () => {
    const said = { kind: 'Status', apiVersion: 'v1', message: 'not today' };
    await expect(convert(transport(() => said, 403))).rejects.toThrow(`${name} failed: not today`);
    await expect(convert(transport(() => 'x', 503))).rejects.toThrow(
      'currently unable to handle the request',
    );
    await expect(convert(transport(() => 'out of order', 500))).rejects.toThrow(
      `${name} failed: an error on the server ("out of order") has prevented the request from succeeding`,
    );
  });

  it('that hangs times out', async () => {
    const hanging: Transport = {
      request: (_, { signal }) =>
        new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted')))),
    };
    const conversion = Promise.resolve(convert(hanging)).catch((error: Error) => error.message);
    await clock.advance(30_000);
    expect(await conversion).toBe(
      `${name} failed: Post "https://s.n.svc:443/c?timeout=30s": context deadline exceeded`,
    );
  });

  it('is not called without a transport', async () => {
    await expect(convert(undefined)).rejects.toThrow('this server calls no webhooks');
  });
});

describe('the metrics of conversion webhooks', () => {
  /** Converts, and returns what was counted. */
  async function counted(
    outcome: (asked: Asked) => unknown,
    { objects = [a, b], of = definition }: { objects?: readonly ApiObject[]; of?: typeof definition } = {},
  ): Promise<readonly string[]> {
    const registry = new Metrics();
    const metrics = new ConversionMetrics(registry, clock);
    const converter = createConverter(of, { ambient, transport: transport(outcome), metrics });
    await Promise.resolve(converter?.convert(objects, 'example.com/v2')).catch(() => {});
    return registry.text().match(/^apiserver_.+(_total|_count)\{.*$/gm) ?? [];
  }

  const CONVERSIONS =
    'apiserver_crd_conversion_webhook_duration_seconds_count{crd_name="widgets.example.com",';
  const lines = (result: string, failure: string, succeeded: boolean): readonly string[] => [
    `apiserver_conversion_webhook_duration_seconds_count{result="${result}",failure_type="${failure}"} 1`,
    `apiserver_conversion_webhook_request_total{result="${result}",failure_type="${failure}"} 1`,
    `${CONVERSIONS}from_version="v1",to_version="v2",succeeded="${succeeded}"} 1`,
  ];

  it('count one call for all objects', async () => {
    expect(await counted((asked) => answered(asked, toV2))).toEqual(lines('success', '', true));
  });

  it.each([
    ['call', () => 'garbage'],
    ['malformed_response', (asked: Asked) => answered(asked, toV2, { uid: 'x' })],
    ['partial_response', (asked: Asked) => answered(asked, toV2, { convertedObjects: [toV2(a)] })],
    ['partial_response', (asked: Asked) => answered(asked, toV2, { convertedObjects: null })],
    ['invalid_converted_object', (asked: Asked) => answered(asked, (object) => object)],
  ])('tell that %s failed', async (step, outcome) => {
    expect(await counted(outcome)).toEqual(lines('failure', `conversion_webhook_${step}_failure`, false));
  });

  it('count conversions by each version that objects had, also without a call', async () => {
    const webhook = { conversionReviewVersions: ['v7'], clientConfig: { url: 'https://x' } };
    const of = established(
      widgets({ versions: definition.spec.versions, conversion: { strategy: 'Webhook', webhook } }),
    );
    const objects = [a, { ...b, apiVersion: 'example.com/v0' }, toV2(a)];
    expect(await counted(() => undefined, { objects, of })).toEqual([
      `${CONVERSIONS}from_version="v1",to_version="v2",succeeded="false"} 1`,
      `${CONVERSIONS}from_version="v0",to_version="v2",succeeded="false"} 1`,
    ]);
  });
});

describe('a conversion in process', () => {
  const inProcess = (change: (object: ApiObject) => ApiObject) =>
    createConverter(definition, { ambient, convert: (_, objects) => objects.map(change) });

  it('replaces the webhook', async () => {
    expect(await inProcess(toV2)?.convert([a], 'example.com/v2')).toEqual([toV2(a)]);
  });

  it('is validated by the same rules', async () => {
    await expect(inProcess((object) => object)?.convert([a], 'example.com/v2')).rejects.toThrow(
      'conversion for example.com/v1, Kind=Widget returned invalid object at index 0: invalid groupVersion',
    );
  });

  it('is not needed if versions differ in their names only', () => {
    expect(createConverter(widgets(), { ambient, convert: (_, objects) => objects })).toBeUndefined();
  });
});
