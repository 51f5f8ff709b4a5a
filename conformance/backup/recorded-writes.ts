import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type JsonObject, type JsonValue } from '@ashlar/core';
import type { Caller } from './caller.ts';

/** A request of a recorded scenario. */
interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: JsonValue;
  readonly contentType?: string | undefined;
}

/** Exchanges about identities and admission fill no cluster. */
const LEFT_OUT = /^(?:access|admission)-/;
const INTERCEPTING = /WebhookConfiguration|AdmissionPolicy/;
/** Whether something creates what may refuse or change later writes. */
export const intercepts = (writes: object): boolean => INTERCEPTING.test(JSON.stringify(writes));

/** New definitions are served after a moment. */
const PATIENCE = 50;

/**
 * Repeats the writes of all recorded scenarios except deletions, each scenario in a namespace of its own, so that the objects have the
 * shapes, owners of fields and states that were recorded. Writes that are refused, as many were, leave nothing.
 * @param which those that later writes do not notice, or those that may refuse or change them
 */
export async function repeatRecordedWrites(
  caller: Caller,
  folder: string,
  which: 'harmless' | 'intercepting',
): Promise<void> {
  for (const [index, steps] of scenariosIn(folder).entries()) {
    if (intercepts(steps) !== (which === 'intercepting')) continue;
    const namespace = `recorded-${index}`;
    await caller.ask('/api/v1/namespaces', { method: 'POST', body: { metadata: { name: namespace } } });
    const text = JSON.stringify(steps)
      .replaceAll(/\$ns\b|\$\{ns\}/g, namespace)
      .replaceAll(/\$\{uniq\}/g, `u${index}`);
    for (const step of JSON.parse(text) as Recorded[]) await repeat(caller, step);
  }
}

async function repeat(
  caller: Caller,
  { method, path, query = {}, body, contentType }: Recorded,
): Promise<void> {
  const { dryRun: _, ...rest } = query;
  const search = new URLSearchParams(rest).toString();
  const whole = path.replace(/\?dryRun=All$/, '') + (search && `?${search}`);
  for (let tries = 0; tries < PATIENCE; tries++) {
    const { status } = await caller.ask(whole, { method, body: body as JsonValue, contentType });
    if (status !== 404) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function scenariosIn(folder: string): Recorded[][] {
  const exchanges = join(folder, 'trace/fixtures');
  const files = readdirSync(exchanges).filter((file) => !LEFT_OUT.test(file));
  const scenarios = [
    ...files.flatMap((file) => JSON.parse(readFileSync(join(exchanges, file), 'utf8')) as Scenario[]),
    ...linesOf(join(folder, 'workloads/recorded.jsonl')),
  ];
  return scenarios.map(({ steps }) => steps.flatMap(writeOf)).filter((steps) => steps.length > 0);
}

/** Objects of all kinds that were created in recorded scenarios of workloads. */
export function recordedObjects(folder: string): JsonObject[] {
  return linesOf(join(folder, 'workloads/recorded.jsonl'))
    .flatMap(({ steps }) => steps.flatMap(writeOf))
    .flatMap(({ method, body }) => (method === 'POST' && isJsonObject(body) && body.kind ? [body] : []));
}

interface Scenario {
  readonly steps: readonly (Step | (Recorded & { readonly request?: undefined }))[];
}

/** A step of a recorded exchange. */
interface Step {
  readonly request: Recorded & { readonly headers?: Readonly<Record<string, string>> };
}

const linesOf = (file: string): Scenario[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Scenario);

function writeOf(step: Scenario['steps'][number]): Recorded[] {
  const { request } = step;
  const recorded = request ?? (step as Recorded);
  const { method, path, query, body } = recorded;
  if (!['POST', 'PUT', 'PATCH'].includes(method) || typeof body !== 'object') return [];
  const contentType = request ? request.headers?.['content-type'] : recorded.contentType;
  return [{ method, path, body, contentType, ...(query && { query }) }];
}
