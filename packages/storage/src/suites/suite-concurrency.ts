import type { KeyValueStore, WriteResult } from '../contracts/key-value-store.ts';
import { bytesOf } from '../objects/plain-views.ts';
import { assertEqual } from './assertions.ts';
import { checkHistory, type Operation } from './check-history.ts';
import type { StoreSuite } from './suite-runner.ts';
import { WatchRecorder } from './watch-recorder.ts';

const WRITERS = 8;
const ROUNDS = 40;
const KEYS = 3;

/** Many concurrent writers and readers, whose results are checked by the history checker. */
export function defineConcurrencyTests({ check }: StoreSuite): void {
  check('stays linearizable under concurrent writers, readers and a watch', async (store) => {
    const watch = new WatchRecorder(store, '', await store.currentRevision());
    const operations: Operation[] = [];
    let moment = 0;
    const tick = (): number => ++moment;
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => work(store, writer, operations, tick)));
    const written = operations.filter((operation) => operation.write !== undefined);
    await watch.reaches(Math.max(...written.map((operation) => operation.write?.revision ?? 0)));
    watch[Symbol.dispose]();
    assertEqual(checkHistory(operations, watch.received), [], 'faults in the history');
  });
}

/** One worker: reads, then writes based on what it read, now and then unconditionally. */
async function work(
  store: KeyValueStore,
  writer: number,
  operations: Operation[],
  tick: () => number,
): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const key = `/k/${(writer * 7 + round * 3) % KEYS}`;
    const readStart = tick();
    const seen = (await store.get(key))?.revision ?? 0;
    operations.push({ key, start: readStart, end: tick(), seen });
    const text = `${writer}.${round}`;
    const blind = round % 5 === 0;
    const remove = round % 4 === 3 && seen > 0;
    const condition = blind ? {} : { ifRevision: seen };
    const start = tick();
    const result = remove
      ? await store.delete(key, condition)
      : await store.put(key, bytesOf(text), condition);
    operations.push(
      operationOf(key, condition, result, { text: remove ? undefined : text, start, end: tick() }),
    );
  }
}

function operationOf(
  key: string,
  condition: { readonly ifRevision?: number },
  result: WriteResult,
  { text, start, end }: { readonly text: string | undefined; readonly start: number; readonly end: number },
): Operation {
  return result.ok
    ? { key, start, end, ...condition, write: { revision: result.revision, text } }
    : { key, start, end, ...condition, seen: result.current?.revision ?? 0 };
}
