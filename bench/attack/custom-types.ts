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
  await isServed(target, dryCustomPath(plural));
}

/** Waits until lists at a path are answered to the operator. @throws Error if that is not so after some seconds */
export async function isServed(target: Target, path: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const { status } = await target.send({ path, headers: [target.credentials('operator')] });
    if (status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${path} is not served`);
}
