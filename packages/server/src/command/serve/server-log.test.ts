import type { Clock, Handler, ServerRequest } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { parseFlags } from '../flags/flags.ts';
import { logFlags } from '../flags/log-flags.ts';
import { ServerLog } from './server-log.ts';

const clock = { now: () => 1_700_000_000_250, monotonic: () => 0 } as Clock;
const handler: Handler = () => ({ status: 200, headers: { 'audit-id': 'mine' } });
const request = {
  ...{ method: 'GET', url: '/api?a="b"', headers: { get: () => 'test\n/1' } },
  connection: { remoteAddress: '127.0.0.1' },
} as unknown as ServerRequest;

function linesOf(words: readonly string[], use: (log: ServerLog) => void): readonly string[] {
  const lines: string[] = [];
  use(new ServerLog(parseFlags(logFlags, words), clock, (line) => lines.push(line)));
  return lines;
}

describe('the log of serve', () => {
  it('contains what happens, as text or JSON', () => {
    const report = (log: ServerLog): void => log.report('ashlar: it failed\n  at once\n');
    expect(linesOf([], report)).toEqual(['ashlar: it failed\n  at once\n']);
    expect(linesOf(['--logging-format=json'], report)).toEqual([
      '{"ts":1700000000.25,"v":0,"msg":"it failed\\n  at once"}\n',
    ]);
  });

  it('contains requests if it is verbose', () => {
    const ask = (log: ServerLog): unknown => log.watched(handler)(request);
    expect(linesOf(['--v=2'], ask)).toEqual([]);
    expect(linesOf(['--v', '3'], ask)).toEqual([
      'ashlar: "HTTP" verb="GET" URI="/api?a=\\"b\\"" latency="0.000ms" userAgent="test\\n/1" audit-ID="mine" srcIP="127.0.0.1" resp=200\n',
    ]);
    expect(linesOf(['--v=10', '--logging-format', 'json'], ask).map((line) => JSON.parse(line))).toEqual([
      {
        ...{ ts: 1_700_000_000.25, v: 3, msg: 'HTTP', verb: 'GET', URI: '/api?a="b"', latency: '0.000ms' },
        ...{ userAgent: 'test\n/1', 'audit-ID': 'mine', srcIP: '127.0.0.1', resp: 200 },
      },
    ]);
  });

  it('rejects other formats', () => {
    expect(() => parseFlags(logFlags, ['--logging-format=xml'])).toThrow(
      'flag --logging-format: "xml" is neither text nor json',
    );
  });
});
