#!/usr/bin/env node
// Plays recorded requests at a server whose webhooks the player itself answers: what they are asked, and what comes of their answers.
//
//   run.mjs --server URL --ca FILE --token T [what trace/replay.mjs takes] FIXTURE.json...
import { pathToFileURL } from 'node:url';
import { main } from '../trace/replay.mjs';
import { standIn } from '../trace/stand-in.mjs';

export const open = () => standIn();

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  await main(process.argv.slice(2), open);
