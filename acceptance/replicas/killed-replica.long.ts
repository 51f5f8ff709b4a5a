import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNodeTransport, type NodeTransport } from '@ashlar/http-node';
import { expect, test } from 'vitest';
import { AshlarProcess } from '../../packages/server/src/command/ashlar-process.fixture.ts';
import { MAPS, type ServerAddress, sendTo, versionOf } from './replica.fixture.ts';
import { ENGINES, type Engine } from './shared-database.fixture.ts';
import { WireWatch } from './wire-watch.fixture.ts';
import { Writing } from './writing.fixture.ts';

/** A server in a process of its own, by its secure listener. */
interface ServerProcess extends AsyncDisposable, ServerAddress {
  readonly process: AshlarProcess;
}

async function startProcess(storage: string): Promise<ServerProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'replica-'));
  const words = ['serve', '--secure-port=0', `--storage=${storage}`];
  const process = await new AshlarProcess(folder, ...words).serving();
  const tls = { certificateAuthorities: process.file('ca.crt') };
  const transport: NodeTransport = createNodeTransport({ tls });
  return {
    process,
    url: process.url,
    transport,
    headers: { authorization: `Bearer ${process.file('admin.token')}` },
    async [Symbol.asyncDispose]() {
      transport.close();
      await process[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

test.for(ENGINES)(
  'one of two server processes over one $name is killed under load: the other continues with all clients',
  async (engine, context) => {
    context.skip(engine.missing !== undefined, engine.missing);
    await killOne(engine);
  },
);

async function killOne(engine: Engine): Promise<void> {
  await using database = await engine.start();
  await using first = await startProcess(database.flag);
  await using second = await startProcess(database.flag);
  const start = (await sendTo(second)('GET', MAPS)).body.metadata.resourceVersion;
  // one watcher that loses its server and moves to the other, and one that does not
  let isDead = false;
  const orphan = new WireWatch(() => (isDead ? [second] : [first]), start);
  const steady = new WireWatch(() => [second], start);
  const writing = new Writing([sendTo(first), sendTo(second)], 4, { mayDie: true });
  await writing.more(50);
  expect(await first.process.kill('SIGKILL')).toBeNull();
  isDead = true;
  await writing.more(100);
  await writing.stop();
  expect(writing.unanswered).toBeGreaterThan(0);
  expect(writing.refusals).toEqual([]);
  const stored = (await sendTo(second)('GET', MAPS)).body.items;
  const there = stored
    .map((item) => [item.metadata.name, versionOf(item)] as const)
    .sort(([, x], [, y]) => x - y);
  for (const [name, version] of writing.acknowledged) expect(new Map(there).get(name), name).toBe(version);
  for (const watch of [orphan, steady]) {
    await watch.reaches(there.at(-1)?.[1] as number);
    await watch.close();
    expect(watch.received).toEqual(there.map(([name, version]) => `ADDED ${name}@${version}`));
  }
}
