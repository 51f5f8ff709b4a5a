// Puts the random questions of a differential tester to a reference and to servers of this project: to several in turn, over one etcd, or
// to one in another vocabulary, whose words are translated on the way.
//   npx tsup && npx tsx --conditions=@ashlar/source conformance/differential.ts --tester FOLDER --reference https://HOST:PORT --ca ca.crt
//     [--token admin-token] [--servers 1] [--vocabulary kubernetes] [--area NAME,…] [-- FLAGS of the tester]
// FOLDER has its run.mjs and areas; `differential/areas` are two more: `sequences` writes one object many times, `accounts` asks for tokens and
// uses them. The reference accepts the tester's two tokens and runs the controllers of namespaces and garbage. Several servers need etcd.
// Fails if an answer differs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Relay } from './differential/relay.ts';
import { OwnServers } from './differential/servers.ts';
import { Words } from './differential/words.ts';
import { referenceFlags } from './peers.ts';
import type { Replay } from './played-scenarios.ts';

const { reference, ca, token } = referenceFlags;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...{ reference, ca, token },
    tester: { type: 'string' },
    servers: { type: 'string', default: '1' },
    vocabulary: { type: 'string', default: 'kubernetes' },
    area: { type: 'string' },
  },
});

const OWN = join(import.meta.dirname, 'differential');
const RECORDED = join(import.meta.dirname, 'trace');

if (values.vocabulary === 'orch' && values.servers !== '1')
  throw new Error('one server in vocabulary orch can be asked, not several');
if (!values.reference || !values.tester) throw new Error('--reference and --tester are needed');
const folder = mkdtempSync(join(tmpdir(), 'differential-'));
try {
  const tester = testerIn(folder, values.tester);
  const isTranslated = values.vocabulary === 'orch';
  await using servers = await (isTranslated
    ? OwnServers.startTranslated()
    : OwnServers.start(Number(values.servers)));
  const words = isTranslated ? await learnedWords() : undefined;
  await using relay = await Relay.start({ servers: servers.urls, authority: servers.authority, words });
  process.exitCode = await runTester(tester, relay.url);
} finally {
  rmSync(folder, { recursive: true });
}

/** Copies the tester, with our areas among its own and the player of recordings that it uses beside it. */
function testerIn(into: string, from: string): string {
  const tester = join(into, 'differential');
  cpSync(from, tester, { recursive: true });
  for (const part of ['areas', 'scenarios']) cpSync(join(OWN, part), join(tester, part), { recursive: true });
  cpSync(join(RECORDED, 'replay.mjs'), join(into, 'trace/replay.mjs'));
  return tester;
}

/** Knows the names of all recordings. */
async function learnedWords(): Promise<Words> {
  const { toOrch } = (await import(pathToFileURL(join(RECORDED, 'replay.mjs')).href)) as Replay;
  const words = new Words(toOrch);
  for (const folder of ['trace/fixtures', 'backup', 'workloads'].map((name) =>
    join(import.meta.dirname, name),
  ))
    for (const file of readdirSync(folder).filter((name) => /\.jsonl?$/.test(name)))
      words.learn(readFileSync(join(folder, file), 'utf8'));
  return words;
}

async function runTester(tester: string, ours: string): Promise<number> {
  const areas =
    values.area ??
    readdirSync(join(tester, 'areas'))
      .map((file) => basename(file, '.mjs'))
      .join();
  const theirs = [values.reference, values.ca, values.token].join();
  const asked = ['--a', theirs, '--b', `${ours},,${values.token}`, '--area', areas, ...positionals];
  const child = spawn(process.execPath, [join(tester, 'run.mjs'), ...asked], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
