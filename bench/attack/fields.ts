// Every field of every kind that is served, made as long as a body may be: `npx tsx bench/attack/fields.ts WORD…`,
// for kinds and fields whose name contains a word; `--as=PATTERN` for ways to fill them whose name matches, `--from=N`
// and `--to=N` for some of all bodies. Prints what exceeds the limits each time; hours if all are sent. The
// server is the built one.
import { AttackedServer } from './attacked-server.ts';
import { bodyRequest } from './bodies.ts';
import { fieldsOf } from './fields/fields-of.ts';
import { filled } from './fields/filled.ts';
import { fillingsOf } from './fields/fillings.ts';
import { seedOf } from './fields/seeds.ts';
import { type ServedKind, servedKinds } from './fields/served-kinds.ts';
import { type Body, excessOf } from './fields/swept.ts';

const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const option = (name: string, otherwise: string): string =>
  process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3) ?? otherwise;
const ways = new RegExp(option('as', ''));
const from = Number(option('from', '0'));
const to = Number(option('to', 'Infinity'));

const start = (): Promise<AttackedServer> => AttackedServer.start('guarded');

/** The same field of several kinds is filled in the first of them. */
const places = new Set<string>();

async function bodiesOf(server: AttackedServer, kind: ServedKind): Promise<readonly Body[]> {
  const { name, path, schema, schemas } = kind;
  const fields = fieldsOf(kind).filter(({ place }) => !places.has(place));
  for (const { place } of fields) places.add(place);
  const isSelected = (body: Body): boolean =>
    words.length === 0 || words.some((word) => body.name.includes(word));
  const seed = await seedOf(server, kind);
  return fields
    .flatMap((field) =>
      fillingsOf(field.schema, schemas)
        .filter((filling) => ways.test(filling.name))
        .map(
          (filling): Body => ({
            name: `${name} ${field.path.join('.')} of ${filling.name}`,
            request(bytes) {
              const text = filled(seed, schema, schemas, field, filling.text(bytes));
              return bodyRequest('POST', `${path}?dryRun=All`, 'application/json', text);
            },
          }),
        ),
    )
    .filter(isSelected);
}

let server = await start();
let count = 0;
for (const kind of await servedKinds(server)) {
  const bodies = await bodiesOf(server, kind);
  if (bodies.length > 0) console.log(`${kind.name}: ${bodies.length} bodies from ${count}`);
  for (const body of bodies) {
    if (++count <= from || count > to) continue;
    try {
      const excess = await excessOf(server, body);
      if (excess) console.log(`  ${excess}`);
    } catch (error) {
      console.log(`  ${body.name}: ${error}`);
      await server[Symbol.asyncDispose]();
      server = await start();
    }
  }
}
await server[Symbol.asyncDispose]();
