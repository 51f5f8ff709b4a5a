import { kubernetesVocabulary, orchVocabulary, type WaitReason } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { parseRequestInfo } from '../request/request-info.ts';
import { toRequest } from '../testing/test-api.fixture.ts';
import { annotateLatency } from './annotate-latency.ts';

const NOTES = '/api/v1/namespaces/x/notes';

function annotationsOf(
  milliseconds: number,
  waits: readonly (readonly [WaitReason, number])[] = [],
  { url = NOTES, vocabulary = kubernetesVocabulary } = {},
): Readonly<Record<string, string>> {
  const annotations = new Map<string, string>();
  const request = toRequest('GET', url);
  const of = {
    ...{ request, info: parseRequestInfo('GET', url), auditId: '', started: 0, annotations },
    waits: new Map(waits),
    annotate: (key: string, value: string): void => void annotations.set(key, value),
  };
  annotateLatency(of, milliseconds, vocabulary);
  return Object.fromEntries(annotations);
}

describe('the audit event of a slow request', () => {
  it('says how long it took, and how long of that it waited for whom', () => {
    const waits = [
      ['queue', 100.25],
      ['mutating-webhook', 300],
      ['validating-webhook', 1500],
    ] as const;
    expect(annotationsOf(2_000, waits)).toEqual({
      'apiserver.latency.k8s.io/apf-queue-wait': '100.25ms',
      'apiserver.latency.k8s.io/mutating-webhook': '300ms',
      'apiserver.latency.k8s.io/validating-webhook': '1.5s',
      'apiserver.latency.k8s.io/total': '2s',
    });
    expect(annotationsOf(501, [], { vocabulary: orchVocabulary })).toEqual({
      'apiserver.latency.orch.io/total': '501ms',
    });
  });

  it.each([
    [500, NOTES],
    [60_000, `${NOTES}?watch=1`],
  ])('is not that of one of %d ms to %s', (milliseconds, url) => {
    expect(annotationsOf(milliseconds, [['queue', 1]], { url })).toEqual({});
  });
});
