// Parsers against mutations of inputs that reached new code: `npm run fuzz -- [--target NAME,NAME] [--inputs
// N] [--seed N]
// [--keep]`. By default all targets share the inputs. A finding is an unexpected error, an input that takes
// too long, one whose cost grows faster than its size, and one that never ends; it is stored in findings/,
// tried first in later runs, and makes the exit status 1. `--keep` stores the inputs that reached new code
// in seeds/.
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { Finding } from './fuzz-target.ts';
import type { FuzzReport, FuzzTask } from './fuzz-worker.ts';
import { keepFinding, keepInputs } from './stored-inputs.ts';
import { targets } from './targets.ts';

const { values } = parseArgs({
  options: {
    target: { type: 'string' },
    inputs: { type: 'string', default: '200000' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
  },
});

const INPUT_BYTES = 65_536;
/** An input that is the last one at two checks hangs, if the process had the processor between them. */
const LOOK_MILLISECONDS = 20_000;
const BUSY_MILLISECONDS = 15_000;

/**
 * Runs targets in a thread; terminates it when one input hangs between two checks. @returns the target that
 * hung
 */
function inThread(names: readonly string[], inputs: number, seed: number): Promise<string | undefined> {
  const current = new SharedArrayBuffer(8 + INPUT_BYTES);
  const counts = new Int32Array(current, 0, 2);
  const workerData: FuzzTask = { names, inputs, seed, current };
  const worker = new Worker(new URL('./thread.mjs', import.meta.url), { workerData });
  let reported = 0;
  return new Promise((resolve, reject) => {
    let before = -1;
    let spent = processorMilliseconds();
    const end = (then: () => void): void => {
      clearInterval(watch);
      void worker.terminate().then(then);
    };
    const watch = setInterval(() => {
      const begun = Atomics.load(counts, 0);
      const spentBefore = spent;
      spent = processorMilliseconds();
      if (begun === before && begun > 0 && spent - spentBefore > BUSY_MILLISECONDS) {
        const name = names[reported] ?? '';
        const input = new Uint8Array(current, 8, Atomics.load(counts, 1)).slice();
        const message = `longer than ${LOOK_MILLISECONDS / 1000} s`;
        const findings: Finding[] = [{ target: name, kind: 'hangs', message, input }];
        end(() => {
          printReport({ name, seconds: 0, result: { inputs: 0, covered: 0, corpus: [], findings } });
          resolve(name);
        });
      }
      before = begun;
    }, LOOK_MILLISECONDS);
    worker.on('message', (report: FuzzReport) => {
      printReport(report);
      if (++reported === names.length) end(() => resolve(undefined));
    });
    worker.on('error', (error) => end(() => reject(error)));
  });
}

function processorMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function printReport({ name, seconds, result: { inputs, covered, corpus, findings } }: FuzzReport): void {
  const numbers = `${inputs} inputs, ${corpus.length} kept, ${covered} parts reached, ${seconds.toFixed(1)} s`;
  console.log(`${name.padEnd(20)} ${numbers}${findings.length > 0 ? `, ${findings.length} FINDINGS` : ''}`);
  for (const finding of findings)
    console.log(`  ${finding.kind}: ${finding.message}\n  ${keepFinding(finding)}`);
  if (findings.length > 0) process.exitCode = 1;
  if (values.keep && corpus.length > 0) keepInputs(name, corpus);
}

let names: readonly string[] = values.target?.split(',') ?? targets.map(({ name }) => name);
const each = Math.ceil(Number(values.inputs) / names.length);
while (names.length > 0) {
  const held = await inThread(names, each, Number(values.seed));
  // those after the one that hung continue in a new thread
  names = held === undefined ? [] : names.slice(names.indexOf(held) + 1);
}
