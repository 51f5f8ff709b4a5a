import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { putEvent } from '@ashlar/storage';
import { describe, expect, it } from 'vitest';
import type { Change } from './change-batch.ts';
import type { FromWorker, ToWorker } from './protocol.ts';
import type { SqliteStoreError } from './sqlite-store-error.ts';
import { Writer } from './writer.ts';

/** A thread that writes nothing: the test responds for it. */
class SilentWorker extends EventEmitter {
  readonly received: (ToWorker | object)[] = [];
  postMessage(message: ToWorker): void {
    this.received.push(message);
  }
  ref(): void {}
  unref(): void {}

  respond(message: FromWorker): void {
    this.emit('message', message);
  }

  /** Revisions of the changes of each message. */
  get written(): number[][] {
    return this.received.flatMap((message) =>
      'numbers' in message ? [Array.from(message.numbers).filter((_, i) => i % 6 === 0)] : [],
    );
  }

  get ended(): boolean {
    return this.received.some((message) => 'kind' in message && message.kind === 'close');
  }
}

const change = (revision: number, bytes = 1): Change => ({
  event: putEvent('/a', new Uint8Array(bytes), revision, undefined),
  time: 0,
  deadline: undefined,
});

function writing(): {
  worker: SilentWorker;
  writer: Writer;
  committed: number[];
  failures: SqliteStoreError[];
} {
  const worker = new SilentWorker();
  const writer = new Writer({ file: 'file', maxFileBytes: undefined }, worker as unknown as Worker);
  const committed: number[] = [];
  const failures: SqliteStoreError[] = [];
  writer.attach({
    committed: (count) => committed.push(count),
    failed: (error) => failures.push(error),
    restored: () => {},
    trimTo: () => 0,
  });
  return { worker, writer, committed, failures };
}

const failed: FromWorker = { kind: 'failed', code: 'SQLITE_FULL', message: 'full' };

describe('changes', () => {
  it('of one turn are sent together', async () => {
    const { worker, writer } = writing();
    for (const revision of [1, 2, 3]) writer.write(change(revision));
    expect(worker.written).toEqual([]);
    await setImmediate();
    expect(worker.written).toEqual([[1, 2, 3]]);
  });

  it('wait until those before them are durable', async () => {
    const { worker, writer, committed } = writing();
    writer.write(change(1));
    await setImmediate();
    for (const revision of [2, 3]) {
      writer.write(change(revision));
      await setImmediate();
    }
    expect(worker.written).toEqual([[1]]);
    worker.respond({ kind: 'committed' });
    expect(worker.written).toEqual([[1], [2, 3]]);
    expect(committed).toEqual([1]);
    worker.respond({ kind: 'committed' });
    expect(committed).toEqual([1, 2]);
  });

  it('are sent in parts if there are many', async () => {
    const { worker, writer } = writing();
    for (let revision = 1; revision <= 5000; revision++) writer.write(change(revision));
    await setImmediate();
    worker.respond({ kind: 'committed' });
    expect(worker.written.map((revisions) => revisions.length)).toEqual([4096, 904]);
  });

  it('are sent in parts if they are large', async () => {
    const { worker, writer } = writing();
    for (let revision = 1; revision <= 5; revision++) writer.write(change(revision, 3 << 20));
    await setImmediate();
    worker.respond({ kind: 'committed' });
    expect(worker.written).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
  });

  it('are never sent if those before them fail', async () => {
    const { worker, writer, failures } = writing();
    writer.write(change(1));
    await setImmediate();
    writer.write(change(2));
    worker.respond(failed);
    expect(failures).toHaveLength(1);
    writer.write(change(1));
    await setImmediate();
    expect(worker.written).toEqual([[1], [1]]);
  });
});

describe('the end of the thread', () => {
  it('follows all changes', async () => {
    const { worker, writer } = writing();
    writer.write(change(1));
    await setImmediate();
    writer.write(change(2));
    const closed = writer.close();
    worker.respond({ kind: 'committed' });
    expect([worker.written, worker.ended]).toEqual([[[1], [2]], false]);
    worker.respond({ kind: 'committed' });
    expect(worker.ended).toBe(true);
    worker.emit('exit');
    await closed;
  });

  it('follows a failure', async () => {
    const { worker, writer } = writing();
    writer.write(change(1));
    const closed = writer.close();
    worker.respond(failed);
    expect(worker.ended).toBe(true);
    worker.emit('exit');
    await closed;
  });
});
