// Every field of every kind that is served, filled until a body is as long as it may be:
// `npx tsx bench/attack/fields.ts [WORD…]`, for kinds whose name contains a word. Prints what exceeds limits
// again and again. The server is the built one.
import type { Usage } from './attack.ts';
import { AttackedServer } from './attacked-server.ts';
import { bodyRequest } from './bodies.ts';
import { slownessNow } from './calibration.ts';
import { type Field, fieldsOf } from './fields/fields-of.ts';
import { filled } from './fields/filled.ts';
import { type Filling, fillingsOf } from './fields/fillings.ts';
import { asOperator, type Members, seedOf } from './fields/seeds.ts';
import { type ServedKind, servedKinds } from './fields/served-kinds.ts';
import type { HostileRequest } from './raw-request.ts';

const BYTES = 2_900_000;
const LONGEST_TURN = 40;
const MOST_MILLISECONDS = 400;
const MOST_MEGABYTES = (3 * BYTES) / 2 ** 20 + 64;
const REPEATS = 2;
const PATIENCE = 15_000;

const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const option = (name: string): string | undefined =>
  process.argv.find((word) => word.startsWith(`--${name}=`))?.split('=')[1];
const first = Number(option('from') ?? 0);
const last = Number(option('to') ?? Number.POSITIVE_INFINITY);

interface Case {
  readonly name: string;
  readonly request: (bytes: number) => HostileRequest;
}

interface Measured extends Usage {
  readonly status: number;
}

async function measured(server: AttackedServer, request: HostileRequest, calm: boolean): Promise<Measured> {
  await (calm ? server.measure.begin() : server.measure.restart());
  const { status } = await server.send({ ...asOperator(server, request), patience: PATIENCE });
  return { ...(await server.measure.end()), status };
}

const isExcess = (
  { longestTurn, cpuMilliseconds, grownMegabytes, status }: Measured,
  slowness: number,
): boolean =>
  status >= 500 ||
  status === 0 ||
  longestTurn > LONGEST_TURN * slowness ||
  cpuMilliseconds > MOST_MILLISECONDS * slowness ||
  grownMegabytes > MOST_MEGABYTES;

/** The largest size that is not refused for its size alone: such a refusal shows nothing. */
async function largest(
  server: AttackedServer,
  { request }: Case,
): Promise<{ bytes: number; found: Measured }> {
  for (let bytes = BYTES; ; bytes /= 2) {
    const found = await measured(server, request(bytes), false);
    if (found.status !== 413 || isExcess(found, 1) || bytes < 1000) return { bytes, found };
  }
}

async function tryCase(server: AttackedServer, one: Case): Promise<void> {
  const { name, request } = one;
  let { bytes, found } = await largest(server, one);
  if (option('verbose'))
    console.log(
      `${found.status} ${found.cpuMilliseconds.toFixed(0)} ${found.longestTurn.toFixed(0)} ${found.grownMegabytes.toFixed(0)} ${name} ${bytes}`,
    );
  if (option('verbose') || !isExcess(found, 1)) return;
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const again = await measured(server, request(bytes), true);
    found = again.longestTurn < found.longestTurn || repeat === 0 ? again : found;
    if (!isExcess(again, slownessNow())) return;
  }
  const half = await measured(server, request(bytes / 2), true);
  const { status, cpuMilliseconds, longestTurn, grownMegabytes } = found;
  const growth = (cpuMilliseconds / half.cpuMilliseconds).toFixed(1);
  console.log(
    `EXCEEDS ${name}: ${status}, CPU ${cpuMilliseconds.toFixed(0)} ms (x${growth}), turn ${longestTurn.toFixed(0)} ms, ${grownMegabytes.toFixed(0)} MB of ${(bytes / 1e6).toFixed(2)} MB`,
  );
}

function caseOf(kind: ServedKind, seed: Members, field: Field, filling: Filling): Case {
  return {
    name: `${kind.name} ${field.path.join('.')}: ${filling.name}`,
    request: (bytes) =>
      bodyRequest(
        'POST',
        `${kind.path}?dryRun=All`,
        'application/json',
        filled(seed, kind.schema, kind.schemas, field, filling.text(bytes)),
      ),
  };
}

const start = (): Promise<AttackedServer> =>
  AttackedServer.start('guarded', ['--runtime-config', 'api/all=true']);
let server = await start();
const seen = new Set<string>();
let count = 0;
const begun = performance.now();
for (const kind of await servedKinds(server)) {
  const fields = fieldsOf(kind).filter(({ place }) => !seen.has(place));
  for (const { place } of fields) seen.add(place);
  if (words.length > 0 && !words.some((word) => kind.name.includes(word))) continue;
  const { seed, accepted } = await seedOf(server, kind);
  const cases = fields.flatMap((field) =>
    fillingsOf(field.schema, kind.schemas)
      .filter(({ name }) => new RegExp(option('fillings') ?? '').test(name))
      .map((filling) => caseOf(kind, seed, field, filling)),
  );
  if (!option('quiet'))
    console.log(
      `${kind.name}: ${fields.length} fields, ${cases.length} bodies${accepted ? '' : ', of an object that is refused'} [${count}]`,
    );
  for (const one of cases) {
    if (count >= first && count < last && !option('list'))
      try {
        await tryCase(server, one);
      } catch (error) {
        console.log(`FAILED ${one.name}: ${error}`);
        await server[Symbol.asyncDispose]();
        server = await start();
      }
    count++;
  }
}
console.log(`${count} bodies, ${((performance.now() - begun) / 1000).toFixed(0)} s`);
await server[Symbol.asyncDispose]();
