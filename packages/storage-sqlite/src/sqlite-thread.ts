import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

/** The program of the thread, found by the name of the package: this file may have been bundled into another program. */
function workerFile(): string {
  const manifest = createRequire(import.meta.url).resolve('@ashlar/storage-sqlite/package.json');
  return createRequire(manifest).resolve('#worker');
}

const start = (): Worker => new Worker(workerFile(), { execArgv: [], stdin: false });

/**
 * The thread of a store, which opens nothing before it is used. A program that prepares other things before it opens a store starts it
 * ahead, since that takes a while. A thread that no store uses ends when it is disposed of.
 *
 * @example
 * using thread = new SqliteThread();
 * const flags = readFlags(); // anything else
 * const store = await createSqliteStore({ file, clock, thread });
 */
export class SqliteThread implements Disposable {
  #worker: Worker | undefined;

  constructor() {
    const worker = start();
    // whoever takes it gets a new one, with its error
    worker.on('error', () => {});
    worker.once('exit', () => {
      this.#worker = undefined;
    });
    worker.unref();
    this.#worker = worker;
  }

  /** Returns the thread to a store, which ends it. */
  take(): Worker {
    const worker = this.#worker ?? start();
    this.#worker = undefined;
    worker.ref();
    return worker;
  }

  [Symbol.dispose](): void {
    void this.#worker?.terminate();
    this.#worker = undefined;
  }
}
