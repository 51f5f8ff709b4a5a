#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { launch } from '../dist/launch.js';

// little survives a collection of young objects: with more threads it costs more processor time, and ends hardly sooner.
// Set before code is compiled: cached code fits only the flags with which it was made
setFlagsFromString('--no-parallel-scavenge');
// after many simultaneous requests, the engine would allocate objects of requests in the old generation, where each keeps alive all that
// its request refers to until the next full collection
setFlagsFromString('--no-allocation-site-pretenuring');
// the optimizing compiler takes a third of the first seconds of a process, mostly with what it inlines; inlining more makes nothing faster later
setFlagsFromString('--max-inlined-bytecode-size-cumulative=300');

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => (stop.signal.aborted ? process.exit(1) : stop.abort()));
}
process.exitCode = await launch(
  new URL('../dist/bundle/ashlar.cjs', import.meta.url),
  process.argv.slice(2),
  {
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text),
    signal: stop.signal,
  },
);
