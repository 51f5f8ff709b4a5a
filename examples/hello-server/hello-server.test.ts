import { expect, test } from 'vitest';
import { startExample } from '../start-example.ts';

const greeting = (name: string, spec: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Greeting', metadata: { name }, spec }),
});

test('serves greetings: with defaults, validation and columns', async () => {
  await using example = await startExample(new URL('./main.ts', import.meta.url));
  const greetings = `${example.url}/apis/example.com/v1/namespaces/default/greetings`;

  const created = await fetch(greetings, greeting('hi', { text: 'hello' }));
  expect(created.status).toBe(201);
  expect(await created.json()).toMatchObject({ spec: { text: 'hello', times: 1 } });

  const refused = await fetch(greetings, greeting('silence', { text: '' }));
  expect(refused.status).toBe(422);
  expect(await refused.json()).toMatchObject({
    message:
      'Greeting.example.com "silence" is invalid: spec.text: Invalid value: "": spec.text in body should be at least 1 chars long',
  });

  const table = await fetch(greetings, {
    headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' },
  });
  const { columnDefinitions, rows } = (await table.json()) as {
    columnDefinitions: { name: string }[];
    rows: { cells: unknown[] }[];
  };
  expect(columnDefinitions.map(({ name }) => name)).toEqual(['Name', 'Text']);
  expect(rows.map(({ cells }) => cells)).toEqual([['hi', 'hello']]);
}, 30_000);
