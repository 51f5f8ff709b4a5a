// Fills a reference, takes a snapshot of its etcd, and compares what both answer: the reference, and `ashlar serve --snapshot`.
//   npx tsup && npx tsx --conditions=@ashlar/source conformance/backup.ts --reference https://HOST:PORT --ca ca.crt --token TOKEN
//     --etcd http://HOST:PORT [--objects 20000] [--show 5] [--filled] [--only REGEX]
// With --filled the reference is asked as it is. Every list and every object is asked for, in all forms in which they are served;
// backup/comparable.ts names the few fields that depend on the revision and the time. Fails if an answer differs, if the snapshot has fewer than the
// wanted objects of 60 kinds, or if it is not served within three seconds (of processor time, where the system tells it).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Answer, Caller, forEachOf } from './backup/caller.ts';
import { collectionsOf, listPath } from './backup/collections.ts';
import { comparable, forms } from './backup/comparable.ts';
import { saveSnapshot } from './backup/etcd-snapshot.ts';
import { countObjects, fill } from './backup/fill.ts';
import { type Comparison, comparisonsOf } from './backup/questions.ts';
import { serveSnapshot } from './backup/served-snapshot.ts';
import { referenceFlags } from './peers.ts';

const { values } = parseArgs({
  options: {
    ...referenceFlags,
    etcd: { type: 'string' },
    objects: { type: 'string', default: '20000' },
    filled: { type: 'boolean', default: false },
    only: { type: 'string', default: '.' },
  },
});
const LEAST_KINDS = 60;
const MOST_SECONDS = 3;

/** The place of the first difference, with what surrounds it. */
function difference(ours: string, theirs: string): string {
  let at = 0;
  while (ours[at] === theirs[at]) at++;
  const around = (text: string): string => JSON.stringify(text.slice(Math.max(0, at - 160), at + 160));
  return `  at ${at}\n  ours   ${around(ours)}\n  theirs ${around(theirs)}`;
}

const { reference, ca, token, etcd } = values;
if (!reference || !ca || !etcd) {
  console.error(
    'backup: --reference, --ca and --etcd want a kube-apiserver of release 1.32 and the etcd behind it; there is nothing to compare with',
  );
  process.exit(2);
}
using theirs = new Caller({ url: reference, ca, token });
const folder = mkdtempSync(join(tmpdir(), 'backup-'));
try {
  if (!values.filled) await fill(theirs, import.meta.dirname, Number(values.objects));
  const { objects, kinds } = await countObjects(theirs);
  console.log(`the reference has ${objects} objects of ${kinds} kinds`);
  const file = join(folder, 'snapshot.db');
  await saveSnapshot(etcd, file);
  await using served = await serveSnapshot(file, folder);
  const { seconds, processorSeconds = seconds } = served;
  const times = `${seconds.toFixed(2)} s, ${processorSeconds.toFixed(2)} s of processor time`;
  console.log(`served after ${times}\n${served.output.join('\n')}`);
  const differences = await compareAll(served.caller);
  const enough = objects >= Number(values.objects) && kinds >= LEAST_KINDS && processorSeconds < MOST_SECONDS;
  process.exitCode = differences === 0 && enough ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function compareAll(ours: Caller): Promise<number> {
  const differing = new Map<string, string[]>();
  const wanted = new RegExp(values.only);
  let compared = 0;
  for (const type of await collectionsOf(theirs)) {
    if (!type.creatable || !wanted.test(listPath(type))) continue;
    await forEachOf(await comparisonsOf(theirs, type), async (question) => {
      compared++;
      const found = await compare(ours, question);
      if (found === undefined) return;
      const key = `${type.apiVersion} ${type.plural} as ${question.form}`;
      differing.set(key, [...(differing.get(key) ?? []), `${question.path}\n${found}`]);
    });
  }
  for (const [key, found] of [...differing].slice(0, Number(values.show)))
    console.log(`- ${key}: ${found.length} differ: ${found[0]}`);
  const sum = [...differing.values()].reduce((total, found) => total + found.length, 0);
  for (const [key, found] of differing) console.log(`${String(found.length).padStart(6)} ${key}`);
  console.log(`${compared} answers compared, ${sum} differ`);
  return sum;
}

async function compare(ours: Caller, { path, form, isList }: Comparison): Promise<string | undefined> {
  const accept = forms[form];
  const [here, there] = await Promise.all([ours.ask(path, { accept }), theirs.ask(path, { accept })]);
  if (here.status !== there.status) return difference(textOf(here), textOf(there));
  if (here.status !== 200) return difference(here.body.toString(), there.body.toString());
  const [a, b] = [comparable(form, isList, here.body), comparable(form, isList, there.body)];
  return a === b ? undefined : difference(a, b);
}

const textOf = ({ status, body }: Answer): string => `${status} ${body.toString('utf8', 0, 1000)}`;
