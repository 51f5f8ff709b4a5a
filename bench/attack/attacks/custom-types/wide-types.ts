import type { Attack, Scenario, Target } from '../../attack.ts';
import { faultsBeside } from '../../beside.ts';
import { bodyRequest, dryCustomPath } from '../../bodies.ts';
import { define } from '../../custom-types.ts';

/** About as many as a definition of 3 MB has. */
const FIELDS = 20_000;
/** All of them need the compiled schema, which is compiled once. */
const OBJECTS = 20;

/** An object of a kind, sent by the operator. */
async function send(target: Target, plural: string, spec: object): Promise<readonly string[]> {
  const kind = plural.charAt(0).toUpperCase() + plural.slice(1);
  const object = { apiVersion: 'attack.example.com/v1', kind, metadata: { name: 'a' }, spec };
  const request = bodyRequest('POST', dryCustomPath(plural), 'application/json', JSON.stringify(object));
  const headers = [target.credentials('operator'), ...(request.headers ?? [])];
  const { status, body } = await target.send({ ...request, headers });
  return status === 201 || status === 422 ? [] : [`answered ${status}: ${body.slice(0, 300)}`];
}

/** The first objects of a type whose schema is as wide as fits. */
function first(name: string, plural: string, field: object, spec: object): Scenario {
  const properties = Object.fromEntries(Array.from({ length: FIELDS }, (_, i) => [`f${i}`, field]));
  return {
    name: `the first objects of ${name}`,
    sends: `${OBJECTS} objects at once of a type of ${FIELDS.toLocaleString('en')} fields`,
    async run(target) {
      await define(target, plural, { type: 'object', properties });
      const sendAll = async (): Promise<readonly string[]> =>
        (await Promise.all(Array.from({ length: OBJECTS }, () => send(target, plural, spec)))).flat();
      return faultsBeside(target, [{ name, grownMegabytes: 128, run: sendAll }]);
    },
  };
}

export const attacks: readonly Attack[] = [
  first('texts', 'wides', { type: 'string' }, { f1: 'a' }),
  first('texts, which are invalid', 'wideinvalids', { type: 'string' }, { f1: 1 }),
];
