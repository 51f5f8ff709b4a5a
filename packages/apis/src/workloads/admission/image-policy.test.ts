import {
  groupName,
  isJsonObject,
  type JsonValue,
  kubernetesVocabulary,
  orchVocabulary,
  type TransportRequest,
} from '@ashlar/core';
import { createSteppedClock, type SteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import { podOf, underTest } from './admission.fixture.ts';
import { createImagePolicy, type ImagePolicy } from './image-policy.ts';

const random = { bytes: (into: Uint8Array) => into.fill(0) };
const images = (...names: readonly string[]) => names.map((image) => ({ name: 'c', image }));

describe.each([kubernetesVocabulary, orchVocabulary])('an image policy in vocabulary $name', (vocabulary) => {
  const domain = groupName(vocabulary, 'image-policy.');

  function policy(result: (call: number) => JsonValue | number, options: Partial<ImagePolicy> = {}) {
    const clock: SteppedClock = createSteppedClock();
    const sent: (TransportRequest & { readonly url: string })[] = [];
    const transport: ImagePolicy['transport'] = {
      async request(url, request) {
        sent.push({ ...request, url });
        const given = result(sent.length);
        const text = typeof given === 'number' ? 'sorry' : JSON.stringify(given);
        const bytes = new TextEncoder().encode(text);
        const status = typeof given === 'number' ? given : 200;
        return {
          ...{ status, headers: {}, body: async () => bytes },
          stream: async function* () {
            yield bytes;
          },
        };
      },
    };
    const plugin = createImagePolicy(
      { url: 'https://images.example/review', transport, ...options },
      { clock, random, vocabulary },
    );
    return { ...underTest(plugin), clock, sent };
  }

  it('sees images and its annotations', async () => {
    const asked = policy(() => ({ status: { allowed: true, auditAnnotations: { why: 'signed' } } }));
    const pod = podOf(
      { containers: images('a', 'b'), initContainers: images('i'), ephemeralContainers: images('e') },
      { annotations: { [`x.${domain}/z`]: '1', [`x.${domain}/a`]: '2', other: '3' } },
    );
    await asked.admit(pod);
    await asked.admit(pod, { subresource: 'ephemeralcontainers', operation: 'UPDATE', oldObject: pod });
    const bodies = asked.sent.map(({ body }) => JSON.parse(new TextDecoder().decode(body)));
    const annotations = { [`x.${domain}/a`]: '2', [`x.${domain}/z`]: '1' };
    const review = {
      kind: 'ImageReview',
      apiVersion: `${groupName(vocabulary, 'imagepolicy.')}/v1alpha1`,
      metadata: { creationTimestamp: null },
      spec: { containers: [{ image: 'a' }, { image: 'b' }, { image: 'i' }], annotations, namespace: 'n' },
      status: { allowed: false },
    };
    const ofSubresource = { ...review, spec: { ...review.spec, containers: [{ image: 'e' }] } };
    expect(bodies).toEqual([review, ofSubresource]);
    expect(asked.sent[0]?.url).toBe('https://images.example/review?timeout=30s');
    expect([...asked.annotations]).toEqual([[`imagepolicywebhook.${domain}/why`, 'signed']]);
  });

  it('is not asked about other resources and operations', async () => {
    const asked = policy(() => ({ status: { allowed: false } }));
    const pod = podOf({ containers: images('a') });
    await asked.admit(pod, { resource: { group: 'apps', version: 'v1', resource: 'pods' } });
    await asked.admit(pod, { subresource: 'status', operation: 'UPDATE' });
    await asked.admit(pod, { operation: 'DELETE' });
    expect(asked.sent).toEqual([]);
  });

  it('denies with a reason, or without', async () => {
    const pod = podOf({ containers: images('a') });
    await expect(policy(() => ({ status: { reason: 'unsigned' } })).admit(pod)).rejects.toThrow(
      'pods "a" is forbidden: image policy webhook backend denied one or more images: unsigned',
    );
    for (const empty of [{}, { status: { allowed: 'yes', reason: 1 } }, []])
      await expect(policy(() => empty).admit(pod)).rejects.toThrow(
        'pods "a" is forbidden: one or more images rejected by webhook backend',
      );
  });

  it('is remembered for some time, longer if it allowed', async () => {
    const asked = policy((call) => ({ status: { allowed: call > 1 } }));
    const pod = podOf({ containers: images('a') });
    const attempt = () =>
      asked.admit(pod).then(
        () => true,
        () => false,
      );
    expect([await attempt(), await attempt(), asked.sent.length]).toEqual([false, false, 1]);
    asked.clock.advance(30_001);
    expect([await attempt(), await attempt(), asked.sent.length]).toEqual([true, true, 2]);
    asked.clock.advance(299_000);
    expect([await attempt(), asked.sent.length]).toEqual([true, 2]);
    asked.clock.advance(1_001);
    expect([await attempt(), asked.sent.length]).toEqual([true, 3]);
  });

  it('that fails is asked again, then refuses pods or lets them pass', async () => {
    const pod = podOf({ containers: images('a') });
    const failing = policy(() => 500);
    const settled = failing.admit(pod).catch((error: Error) => error.message);
    for (let pause = 0; pause < 4; pause++) {
      while (failing.clock.pending().length === 0) await new Promise((resolve) => setImmediate(resolve));
      failing.clock.advance(2_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await settled).toBe(
      'pods "a" is forbidden: an error on the server ("sorry") has prevented the request from succeeding',
    );
    expect(failing.sent).toHaveLength(5);
    const refusing = policy(() => 404);
    await expect(refusing.admit(pod)).rejects.toThrow('the server could not find the requested resource');
    expect(refusing.sent).toHaveLength(1);
    const open = policy(() => 404, { defaultAllow: true });
    expect(isJsonObject((await open.admit(pod)) as unknown as JsonValue)).toBe(true);
    expect([...open.annotations]).toEqual([[`imagepolicywebhook.${domain}/failed-open`, 'true']]);
  });
});
