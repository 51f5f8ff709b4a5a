import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { comparable, headersOf, inNamespace, type Scenario, type Step } from './responses.ts';

// Sends the scenarios of this folder to a reference, and writes its responses next to them:
//   npx tsx conformance/workloads/record.ts --server https://HOST:PORT --token TOKEN --ca ca.crt

const { values } = parseArgs({
  options: { server: { type: 'string' }, token: { type: 'string' }, ca: { type: 'string' } },
});
const folder = import.meta.dirname;
const authority = values.ca === undefined ? {} : { ca: readFileSync(values.ca) };

function ask(step: Step): Promise<{ status: number; text: string }> {
  const headers = { ...headersOf(step), authorization: `Bearer ${values.token}` };
  return new Promise((resolve, reject) => {
    const outgoing = request(`${values.server}${step.path}`, { method: step.method, headers, ...authority });
    outgoing.on('error', reject).on('response', (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, text }));
    });
    outgoing.end(step.body === undefined ? undefined : JSON.stringify(step.body));
  });
}

async function record({ name, steps }: Scenario, namespace: string): Promise<Scenario> {
  await ask({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: namespace } } });
  const recorded: Step[] = [];
  for (const step of steps) {
    const { status, text } = await ask(inNamespace(step, namespace));
    recorded.push({ ...step, expect: comparable(status, text, namespace) });
  }
  await ask({ method: 'DELETE', path: `/api/v1/namespaces/${namespace}` });
  return { name, steps: recorded };
}

for (const file of readdirSync(folder).filter((name) => name.endsWith('.jsonl'))) {
  const path = join(folder, file);
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  const recorded: string[] = [];
  for (const [index, line] of lines.entries())
    recorded.push(JSON.stringify(await record(JSON.parse(line) as Scenario, `recorded-${index}`)));
  writeFileSync(path, `${recorded.join('\n')}\n`);
}
