// Every field of every kind that is served, made as long as a body may be: `npx tsx bench/attack/fields.ts WORD…`,
// for kinds whose name contains a word; `--of=PATTERN` for fields and `--as=PATTERN` for ways to fill them whose name
// matches, `--by=WAY` for how they are sent (default `create`; see fields/ways.ts), `--from=N` and `--to=N` for some
// of all bodies. Prints what exceeds the limits each time; hours if all are sent. The server is the built one.
import { AttackedServer } from './attacked-server.ts';
import { type Field, fieldsOf } from './fields/fields-of.ts';
import { filled } from './fields/filled.ts';
import { fillingsOf } from './fields/fillings.ts';
import { type Members, seedOf } from './fields/seeds.ts';
import { type ServedKind, servedKinds } from './fields/served-kinds.ts';
import { excessesOfStored, isStored, pathOf, remove } from './fields/stored.ts';
import { type Body, excessOf } from './fields/swept.ts';
import { WAYS, type Way } from './fields/ways.ts';

const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const option = (name: string, otherwise: string): string =>
  process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3) ?? otherwise;
const ofPattern = new RegExp(option('of', ''));
const asPattern = new RegExp(option('as', ''));
const from = Number(option('from', '0'));
const to = Number(option('to', 'Infinity'));
const by = option('by', 'create');
const way = wayOf(by);
const creates = ['create', 'protobuf', 'stored'].includes(by);

function wayOf(name: string): Way {
  const found = WAYS[name];
  if (!found) throw new Error(`--by=${name}: is none of ${Object.keys(WAYS).join(', ')}`);
  return found;
}

const start = (): Promise<AttackedServer> => AttackedServer.start('guarded');

/** The same field of several kinds is filled in the first of them. */
const places = new Set<string>();

function bodiesOf(kind: ServedKind, seed: Members): readonly Body[] {
  const { name, schema, schemas } = kind;
  const at = creates ? kind.path : pathOf(kind, seed);
  const isMeant = (field: Field): boolean =>
    !places.has(field.place) && way.takes?.(field) !== false && ofPattern.test(field.path.join('.'));
  const fields = fieldsOf(kind).filter(isMeant);
  for (const { place } of fields) places.add(place);
  return fields.flatMap((field) =>
    fillingsOf(field.schema, schemas)
      .filter((filling) => asPattern.test(filling.name))
      .map((filling) => ({
        name: `${name} ${field.path.join('.')} of ${filling.name}`,
        request: (bytes) =>
          way.request(at, filled(way.base(seed), schema, schemas, field, filling.text(bytes))),
      })),
  );
}

const isMeant = ({ name }: ServedKind): boolean =>
  words.length === 0 || words.some((word) => name.includes(word));

let server = await start();
let count = 0;
const kinds = await servedKinds(server);
for (const kind of kinds.filter(isMeant)) {
  const seed = await seedOf(server, kind);
  const bodies = bodiesOf(kind, seed);
  if (bodies.length === 0) continue;
  console.log(`${kind.name}: ${bodies.length} bodies from ${count}`);
  if (!creates && !(await isStored(server, kind, seed))) {
    console.log('  is not stored');
    continue;
  }
  for (const body of bodies) {
    if (++count <= from || count > to) continue;
    try {
      const excesses =
        by === 'stored'
          ? await excessesOfStored(server, kind, kinds, seed, body)
          : [await excessOf(server, body)];
      for (const excess of excesses) if (excess) console.log(`  ${excess}`);
    } catch (error) {
      console.log(`  ${body.name}: ${error}`);
      await server[Symbol.asyncDispose]();
      server = await start();
      if (!creates) await isStored(server, kind, seed);
    }
  }
  if (!creates) await remove(server, pathOf(kind, seed));
}
await server[Symbol.asyncDispose]();
