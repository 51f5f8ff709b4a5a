#!/usr/bin/env node
import { runCommand } from '../dist/command.js';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => (stop.signal.aborted ? process.exit(1) : stop.abort()));
}
process.exitCode = await runCommand(process.argv.slice(2), {
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  signal: stop.signal,
});
