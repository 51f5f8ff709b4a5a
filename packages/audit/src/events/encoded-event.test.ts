import { concatenateBytes, kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { type EncodedEvent, encodeEvent, encodeEventSteps } from './encoded-event.ts';
import { inPieces, READ } from './event.fixture.ts';
import { legacyLine } from './legacy-line.ts';
import { truncateEvent } from './truncate-event.ts';

const textOf = ({ json }: EncodedEvent): string => new TextDecoder().decode(concatenateBytes(json));

describe('an encoded event', () => {
  it('has its objects as they are, and its annotations sorted', () => {
    const objects = { requestObject: inPieces({ a: 1 }), responseObject: inPieces([2]) };
    const encoded = encodeEvent({ ...READ, ...objects });
    const expected = { ...READ, requestObject: { a: 1 }, responseObject: [2] };
    expect(JSON.parse(textOf(encoded))).toEqual(expected);
    expect(textOf(encoded)).toMatch(/"annotations":\{"a":"1","b":"2"\}\}$/);
    expect(encoded.size).toBe(concatenateBytes(encoded.json).length);
  });

  it('is one line, whatever callers put into it', () => {
    const hostile = 'a"}\n{"level":"None"';
    const encoded = encodeEvent({ ...READ, userAgent: hostile, auditID: hostile, requestURI: hostile });
    expect(textOf(encoded)).not.toContain('\n');
    expect(JSON.parse(textOf(encoded))).toMatchObject({ level: 'RequestResponse', userAgent: hostile });
  });
});

it('encodes what is long in an event with pauses', () => {
  const long = 'x'.repeat(5_000_000);
  for (const event of [
    { ...READ, annotations: { a: long } },
    { ...READ, responseStatus: { message: long } },
  ]) {
    const steps = encodeEventSteps(event);
    let pauses = 0;
    while (!steps.next().done) pauses++;
    expect(pauses).toBeGreaterThan(10);
  }
});

describe.each([kubernetesVocabulary, orchVocabulary])(
  'an event that is too large, in $name',
  (vocabulary) => {
    const large = encodeEvent({ ...READ, responseObject: inPieces('x'.repeat(2000)) });

    it('loses its objects', () => {
      expect(truncateEvent(large, 5000, vocabulary)).toBe(large);
      const { event = READ } = truncateEvent(large, 1500, vocabulary) ?? {};
      const truncated = { [`audit.${vocabulary.groupDomain}/truncated`]: 'true' };
      expect(event).toEqual({ ...READ, annotations: { ...READ.annotations, ...truncated } });
    });

    it('is lost if that does not suffice', () => {
      expect(truncateEvent(large, 100, vocabulary)).toBeUndefined();
    });
  },
);

describe('an event in the format legacy', () => {
  it('is a line of quoted values', () => {
    expect(legacyLine(READ)).toBe(
      String.raw`2024-01-02T03:04:05.000000Z AUDIT: id="id" stage="ResponseComplete" ip="10.0.0.1" method="get" user="alice" groups="\"dev\",\"a \\\"b\\\"\"" as="<self>" asgroups="<lookup>" user-agent="kubectl/1" namespace="default" uri="/api/v1/namespaces/default/pods/a" response="200"`,
    );
  });

  it('says what there is not', () => {
    const { objectRef: _, sourceIPs: __, responseStatus: ___, ...event } = READ;
    const line = legacyLine({ ...event, user: {}, impersonatedUser: { username: 'bob', groups: ['g'] } });
    expect(line).toContain(
      String.raw`ip="<none>" method="get" user="<none>" groups="<none>" as="bob" asgroups="\"g\"" user-agent="kubectl/1" namespace="<none>" uri="/api/v1/namespaces/default/pods/a" response="<deferred>"`,
    );
  });

  it('names no more than a thousand groups', () => {
    const line = legacyLine({ ...READ, user: { groups: Array(1001).fill('g') } });
    expect(line.match(/\\"g\\"/g)).toHaveLength(1000);
    expect(line).toContain(',...TRUNCATED" as=');
  });
});
