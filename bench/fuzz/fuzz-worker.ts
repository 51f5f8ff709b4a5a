// Tries the inputs of targets in a thread of its own, which can be terminated when an input hangs.
import { parentPort, workerData } from 'node:worker_threads';
import { type FuzzResult, fuzzTarget } from './fuzz-target.ts';
import { storedFindings, storedInputs } from './stored-inputs.ts';
import { targets } from './targets.ts';

/** Input of the worker. */
export interface FuzzTask {
  /** Names, in order. */
  readonly names: readonly string[];
  /** Per target. */
  readonly inputs: number;
  readonly seed: number;
  /** Contains the number of started inputs (first 4 bytes), the length of the last (4), and its bytes. */
  readonly current: SharedArrayBuffer;
}

/** Result for each target. */
export interface FuzzReport {
  readonly name: string;
  readonly seconds: number;
  readonly result: FuzzResult;
}

const { names, inputs, seed, current } = workerData as FuzzTask;
const counts = new Int32Array(current, 0, 2);
const place = new Uint8Array(current, 8);
const onInput = (input: Uint8Array): void => {
  Atomics.store(counts, 1, Math.min(input.length, place.length));
  place.set(input.length > place.length ? input.subarray(0, place.length) : input);
  Atomics.add(counts, 0, 1);
};
for (const name of names) {
  const target = targets.find((one) => one.name === name);
  if (!target) throw new Error(`there is no target ${name}`);
  const begun = performance.now();
  const corpus = [...storedFindings(name), ...storedInputs(name)];
  const result = fuzzTarget(target, { inputs, seed, corpus, onInput });
  const report: FuzzReport = { name, result, seconds: (performance.now() - begun) / 1000 };
  parentPort?.postMessage(report);
}
