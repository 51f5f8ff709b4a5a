// Hostile clients against fresh servers: `npm run attack`, `npm run attack -- NAME…` for those whose names
// contain one of the words, `npm run attack -- --list`; `--once` repeats none, `--alone` skips the twenty
// concurrent ones. Prints the resources that each used, and measurements of a well-behaved client; exits
// with 1 if a limit was exceeded twice. The server is the built one.
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Attack, isScenario, type Scenario, type ServerKind, type SizedAttack } from './attack.ts';
import { AttackedServer } from './attacked-server.ts';
import { Bystander } from './bystander.ts';
import { slowness as slownessOfMachine } from './calibration.ts';
import { growthOf, type Outcome, runSized } from './sized-run.ts';

/** Attacks of one file, which share a server. */
interface Group {
  readonly name: string;
  readonly attacks: readonly Attack[];
}

const FOLDER = join(import.meta.dirname, 'attacks');
const unknown = process.argv
  .slice(2)
  .find((word) => word.startsWith('--') && !['--list', '--once', '--alone'].includes(word));
// a suite that takes an hour does not begin by mistake
if (unknown !== undefined) throw new TypeError(`unknown option ${unknown}: --list, --once or --alone`);
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const slowness = slownessOfMachine();
const failed: string[] = [];

async function groups(): Promise<readonly Group[]> {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .sort();
  const all = await Promise.all(
    files.map(async (file): Promise<Group> => {
      const { attacks } = (await import(join(FOLDER, file))) as { attacks: readonly Attack[] };
      return { name: basename(file, '.ts'), attacks };
    }),
  );
  return all.map(({ name, attacks }) => ({
    name,
    attacks: attacks.filter((attack) => isSelected(name, attack)),
  }));
}

function isSelected(group: string, { name }: Attack): boolean {
  return words.length === 0 || words.some((word) => `${group}: ${name}`.includes(word));
}

/** A server with its client; replaced when an attack has ruined them. */
class Ground implements AsyncDisposable {
  readonly #kind: ServerKind;
  #server: AttackedServer | undefined;
  #bystander: Bystander | undefined;
  usualWait = 0;

  constructor(kind: ServerKind) {
    this.#kind = kind;
  }

  async ready(): Promise<{ server: AttackedServer; bystander: Bystander }> {
    if (!this.#server || !this.#bystander) {
      this.#server = await AttackedServer.start(this.#kind);
      this.#bystander = await Bystander.start(this.#server);
      this.#bystander.begin();
      await new Promise((resolve) => setTimeout(resolve, 500));
      this.usualWait = (await this.#bystander.end()).slowest;
    }
    return { server: this.#server, bystander: this.#bystander };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#bystander?.[Symbol.dispose]();
    await this.#server?.[Symbol.asyncDispose]();
    this.#server = undefined;
    this.#bystander = undefined;
  }
}

async function sized(attack: SizedAttack, ground: Ground): Promise<Outcome> {
  try {
    const { server, bystander } = await ground.ready();
    const outcome = await runSized(attack, server, bystander, {
      slowness,
      usualWait: ground.usualWait,
      crowd: !process.argv.includes('--alone'),
    });
    if (outcome.faults.length > 0) await ground[Symbol.asyncDispose]();
    return outcome;
  } catch (error) {
    await ground[Symbol.asyncDispose]();
    return { costs: [], statuses: [], faults: [messageOf(error)] };
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function scenario(attack: Scenario): Promise<Outcome> {
  await using server = await AttackedServer.start(attack.server ?? 'guarded', attack.flags);
  await server.measure.begin();
  // the others go on
  const faults = await attack.run(server).catch((error: unknown) => [messageOf(error)]);
  if (attack.ruins) return { costs: [], statuses: [], faults };
  const usage = await server.measure.end();
  return { costs: [usage.cpuMilliseconds], usage, statuses: [], faults };
}

async function runGroup({ name, attacks }: Group): Promise<void> {
  await using guarded = new Ground('guarded');
  await using quickStart = new Ground('quick-start');
  for (const attack of attacks) {
    const once = (): Promise<Outcome> => {
      if (isScenario(attack)) return scenario(attack);
      return sized(attack, attack.server === 'quick-start' ? quickStart : guarded);
    };
    let outcome = await once();
    if (outcome.faults.length > 0 && !process.argv.includes('--once')) outcome = await once();
    report(`${name}: ${attack.name}`, outcome);
  }
}

function report(name: string, outcome: Outcome): void {
  const { costs, usage, sight, faults, statuses } = outcome;
  const row = [
    costs
      .map((cost) => cost.toFixed(0))
      .join('/')
      .padEnd(16),
    (growthOf(costs, slowness) || '').toString().slice(0, 4).padEnd(5),
    (usage?.longestTurn.toFixed(0) ?? '').padStart(5),
    (usage?.longestDelay.toFixed(0) ?? '').padStart(5),
    (usage?.grownMegabytes.toFixed(0) ?? '').padStart(5),
    (sight ? `${((100 * sight.answered) / Math.max(1, sight.due)).toFixed(0)} %` : '').padStart(6),
    (sight?.slowest.toFixed(0) ?? '').padStart(5),
    [...new Set(statuses)].join(',').padEnd(12),
  ];
  console.log(`${faults.length > 0 ? 'FAILED' : 'held  '} ${name.padEnd(62)} ${row.join(' ')}`);
  for (const fault of faults) console.log(`         ${fault}`);
  if (faults.length > 0) failed.push(name);
}

const all = await groups();
if (process.argv.includes('--list')) {
  for (const { name, attacks } of all)
    for (const attack of attacks) console.log(`${name}: ${attack.name}\n    ${attack.sends}`);
} else {
  const begun = performance.now();
  console.log(`this machine: ${slowness.toFixed(2)} × the time of the one that bounds are of`);
  const heads = ['CPU ms n/2n/4n', 'grows', ' turn', 'delay', '  MB', '  kept', '  p99', 'statuses'];
  console.log(`       ${'attack'.padEnd(62)} ${heads.join(' ')}`);
  for (const group of all) if (group.attacks.length > 0) await runGroup(group);
  const count = all.reduce((total, { attacks }) => total + attacks.length, 0);
  const seconds = ((performance.now() - begun) / 1000).toFixed(0);
  console.log(`${count - failed.length} of ${count} held, ${seconds} s`);
  for (const name of failed) console.log(`  ${name}`);
  process.exitCode = failed.length > 0 || count === 0 ? 1 : 0;
}
