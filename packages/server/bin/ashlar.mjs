#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { runCommand } from '../dist/command.js';

// little survives a collection of young objects: with more threads it costs more processor time, and ends hardly sooner
setFlagsFromString('--no-parallel-scavenge');

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => (stop.signal.aborted ? process.exit(1) : stop.abort()));
}
process.exitCode = await runCommand(process.argv.slice(2), {
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  signal: stop.signal,
});
