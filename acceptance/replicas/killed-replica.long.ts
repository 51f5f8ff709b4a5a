import { expect, test } from 'vitest';
import { MAPS, sendTo, versionOf } from './replica.fixture.ts';
import { startProcess } from './server-process.fixture.ts';
import { ENGINES, type Engine } from './shared-database.fixture.ts';
import { WireWatch } from './wire-watch.fixture.ts';
import { Writing } from './writing.fixture.ts';

test.for(ENGINES)(
  'one of two server processes over one $name is killed under load: the other continues with all clients',
  async (engine, context) => {
    context.skip(engine.missing !== undefined, engine.missing);
    await killOne(engine);
  },
);

async function killOne(engine: Engine): Promise<void> {
  await using database = await engine.start();
  await using first = await startProcess(`--storage=${database.flag}`);
  await using second = await startProcess(`--storage=${database.flag}`);
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
