import type { Target } from './attack.ts';
import { DEFINITIONS, definitionOf, dryCustomPath } from './bodies.ts';

/** Creates the definition unless an earlier attack did, and waits until it is served. */
export async function define(target: Target, plural: string, spec: object): Promise<void> {
  const headers = [target.credentials('operator'), 'Content-Type: application/json'];
  const path = `${DEFINITIONS}`;
  const { status, body } = await target.send({
    method: 'POST',
    path,
    headers,
    body: JSON.stringify(definitionOf(plural, spec)),
  });
  if (status !== 201 && status !== 409)
    throw new Error(`the definition of ${plural} is refused: ${status} ${body.slice(0, 600)}`);
  for (let tries = 0; tries < 100; tries++) {
    const answer = await target.send({ path: dryCustomPath(plural), headers });
    if (answer.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`${plural} is not served`);
}
