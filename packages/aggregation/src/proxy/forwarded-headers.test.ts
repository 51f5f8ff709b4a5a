import type { HeaderLine } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { forwardedHeaders } from './forwarded-headers.ts';
import { forwardedRequest, rules } from './forwarded-request.fixture.ts';

const origin = new URL('https://10.0.0.1:443');
const sent = (
  headers: readonly HeaderLine[],
  changes?: Parameters<typeof forwardedRequest>[1],
): readonly string[] =>
  forwardedHeaders(forwardedRequest(headers, changes), origin, '/apis/example.com/v1', rules).map((line) =>
    line.join(': '),
  );
const OWN = [
  'host: 10.0.0.1',
  'x-forwarded-for: 10.0.0.9',
  'x-forwarded-uri: /apis/example.com/v1',
  'x-forwarded-host: 10.0.0.1',
  'x-forwarded-proto: https',
  'audit-id: id',
  'x-remote-user: anna',
  'x-remote-group: dev',
];

describe('the header of a forwarded request', () => {
  it('says who asks, and by whom it came', () => {
    expect(sent([])).toEqual(OWN);
  });

  it.each<HeaderLine>([
    ['authorization', 'Bearer secret'],
    ['x-remote-user', 'root'],
    ['x_remote_user', 'root'],
    ['x-remote-group', 'system:masters'],
    ['x-remote-uid', '0'],
    ['x-remote-extra-a', 'b'],
    ['x_remote_extra_a', 'b'],
    ['x-alternative-user', 'root'],
    ['impersonate-user', 'root'],
    ['impersonate-extra-a', 'b'],
    ['x-forwarded-host', 'elsewhere'],
    ['x-forwarded-uri', '/elsewhere'],
    ['host', 'elsewhere'],
    ['expect', '100-continue'],
    ['keep-alive', 'timeout=1'],
    ['proxy-authorization', 'Basic eA=='],
    ['transfer-encoding', 'chunked'],
    ['upgrade', 'h2c'],
    ['http2-settings', 'AAA'],
    ['te', 'gzip'],
  ])('leaves out %s: %s of the caller', (name, value) => {
    expect(sent([[name, value]])).toEqual(OWN);
  });

  it('leaves out what a connection names, but not who asks', () => {
    const lines = sent([
      ['connection', 'X-Mine, X-Remote-User, close'],
      ['x-mine', 'a'],
      ['x-other', 'b'],
    ]);
    expect(lines.filter((line) => line.startsWith('x-mine') || line.startsWith('connection'))).toEqual([]);
    expect(lines).toEqual(expect.arrayContaining(['x-other: b', 'x-remote-user: anna']));
  });

  it('keeps other lines one by one, and adds the address to those before it', () => {
    const lines = sent([
      ['x-many', '1'],
      ['x-many', '2'],
      ['x-forwarded-for', '10.1.2.3'],
      ['te', 'trailers, deflate'],
    ]);
    expect(lines).toEqual(
      expect.arrayContaining([
        'x-many: 1',
        'x-many: 2',
        'x-forwarded-for: 10.1.2.3, 10.0.0.9',
        'te: trailers',
      ]),
    );
  });

  it('writes names of users as UTF-8 bytes, and keys of extra fields so that they are header names', () => {
    const user = { name: 'Zoë', groups: [], extra: { 'example.com/team å': ['a', 'b'] } };
    expect(sent([], { user }).filter((line) => line.startsWith('x-remote'))).toEqual([
      'x-remote-user: Zo\u00c3\u00ab',
      'x-remote-extra-example.com%2Fteam%20%C3%A5: a',
      'x-remote-extra-example.com%2Fteam%20%C3%A5: b',
    ]);
  });

  it('says the uid only where that is on', () => {
    const request = forwardedRequest([], { user: { name: 'anna', uid: 'u-1', groups: [] } });
    const uids = (sendsUid: boolean) =>
      forwardedHeaders(request, origin, '/', { ...rules, sendsUid }).filter(
        ([name]) => name === 'x-remote-uid',
      );
    expect([uids(false), uids(true)]).toEqual([[], [['x-remote-uid', 'u-1']]]);
  });

  it('switches protocols without a token among those of the WebSocket', () => {
    const offered: HeaderLine[] = [
      ['sec-websocket-protocol', 'base64url.bearer.authorization.orch.io.c2VjcmV0, chat'],
      ['connection', 'Upgrade'],
      ['upgrade', 'websocket'],
    ];
    const lines = sent(offered, { request: { upgrade: { protocol: 'websocket' } } });
    expect(lines).toEqual(
      expect.arrayContaining(['sec-websocket-protocol: chat', 'connection: Upgrade', 'upgrade: websocket']),
    );
    expect(lines.join()).not.toMatch(/c2VjcmV0|x-forwarded-uri/);
    const [only] = sent([
      ['sec-websocket-protocol', 'base64url.bearer.authorization.orch.io.c2VjcmV0'],
    ]).filter((line) => line.startsWith('sec-'));
    expect(only).toBeUndefined();
  });
});
