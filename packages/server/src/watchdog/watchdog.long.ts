import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { AshlarProcess } from '../command/ashlar-process.fixture.ts';

const root = mkdtempSync(join(tmpdir(), 'watchdog-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Blocks the event loop: at SIGUSR2 for ever, at SIGHUP for two seconds. */
const BLOCKING = `data:text/javascript,${encodeURIComponent(`
  const block = (milliseconds) => {
    const end = performance.now() + milliseconds;
    while (performance.now() < end);
  };
  process.on('SIGUSR2', () => block(Infinity));
  process.on('SIGHUP', () => block(2_000));
`)}`;

function start(...words: readonly string[]): AshlarProcess {
  return new AshlarProcess(mkdtempSync(join(root, 'folder-')), ...words);
}

const SERVE = ['serve', '--secure-port=0', '--storage=memory', '--shutdown-grace-period=5s'];

describe('the watchdog of ashlar serve', () => {
  it('reports a blocked event loop during and after the block, and counts it', async () => {
    await using server = await start(BLOCKING, ...SERVE).serving();
    await (await server.request('POST', '/api/v1/namespaces/default/configmaps?a=b', { body: '{}' })).body();
    server.signal('SIGHUP');
    await server.untilOutput(
      /has been blocked for [\d.]+ s; the last requests, .*"POST \/api\/v1\/namespaces\/default\/configmaps"/,
    );
    await server.untilOutput(/the event loop was blocked for [\d.]+ s; the last requests: "POST \/api/);
    const metrics = await server.request('GET', '/metrics');
    expect(new TextDecoder().decode(await metrics.body())).toMatch(/^ashlar_event_loop_blocks_total [1-9]/m);
    expect(await server.kill('SIGTERM')).toBe(0);
  });

  it('kills a process whose event loop stays blocked, also after SIGTERM', async () => {
    await using server = await start(BLOCKING, ...SERVE).serving();
    server.signal('SIGUSR2');
    await server.untilOutput(/has been blocked/);
    expect(await server.kill('SIGTERM')).toBeNull();
    expect(server.stderr).toMatch(/the event loop has been blocked for 5\.0 s: killing the process; /);
  });

  it('is silent if nothing is blocked, and ends with the server', async () => {
    await using server = await start(...SERVE).serving();
    expect(await server.kill('SIGTERM')).toBe(0);
    expect(server.stderr).not.toContain('killing the process');
  });

  it('can be disabled', async () => {
    await using server = await start(BLOCKING, ...SERVE, '--event-loop-watchdog=false').serving();
    server.signal('SIGHUP');
    await (await server.request('GET', '/version')).body();
    expect(await server.kill('SIGTERM')).toBe(0);
    expect(server.stderr).toBe('');
  });
});
