#!/usr/bin/env node
// Plays recorded requests that are under way at once, while a webhook of the player's holds some of them.
//
//   run.mjs --server URL --ca FILE --token T [what trace/replay.mjs takes] FIXTURE.json...
//
// README.md beside this file says which flags each fixture wants of the server.
import { pathToFileURL } from 'node:url';
import { concurrent } from '../trace/concurrent.mjs';
import { main, received } from '../trace/replay.mjs';
import { standIn } from '../trace/stand-in.mjs';

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
/** Times, durations and seat-seconds of a line. */
const plain = (line) =>
  line
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, '<time>')
    .replace(/-?\d+(\.\d+)?(e-?\d+)?ss/g, '<seat-seconds>')
    .replace(/(?<![\w-])-?(\d+(\.\d+)?(h|ms|m|µs|ns|s))+(?![\w-])/g, '<duration>');

export async function open() {
  const hooks = await standIn();
  const requests = concurrent();
  const lines = async (client, request, pattern) => {
    const { raw } = await received(client, request);
    return raw
      .toString('utf8')
      .split('\n')
      .filter((line) => pattern.test(line));
  };
  return {
    variables: hooks.variables,
    steps: {
      ...hooks.steps,
      ...requests.steps,
      /** The lines of a text that a pattern finds, without spaces at their ends. */
      lines: async (step, scope, client) => {
        const found = await lines(client, scope.fill(step.request), new RegExp(scope.fill(step.lines)));
        return {
          lines: found.map((line) =>
            plain(scope.text(line))
              .split(',')
              .map((cell) => cell.trim())
              .join(', ')
              .replace(/, $/, ''),
          ),
        };
      },
      /** A metric's value for each set of labels that has the pattern. */
      metric: async (step, scope, client) => {
        const [name, labels] = [step.metric, new RegExp(scope.fill(step.labels ?? ''))];
        if (step.waitMs) await pause(step.waitMs);
        const found = await lines(client, { path: '/metrics' }, new RegExp(`^${name}[{ ]`));
        return {
          values: Object.fromEntries(
            found
              .filter((line) => labels.test(line))
              .map((line) => scope.text(line).split(/ (?=[^ ]*$)/))
              .map(([key, value]) => [key.slice(name.length), Number(value)]),
          ),
        };
      },
    },
    async end() {
      await hooks.end();
      await requests.end();
    },
    close: hooks.close,
  };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  await main(process.argv.slice(2), open);
