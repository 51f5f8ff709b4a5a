import { expect, it } from 'vitest';
import { type Definition, DesiredServices } from './desired-services.ts';

const definition = (name: string, ...versions: [name: string, served: boolean][]): Definition =>
  ({
    metadata: { name },
    spec: { group: 'g.example.com', versions: versions.map(([each, served]) => ({ name: each, served })) },
  }) as never;

it('has the services of the served versions of all definitions', () => {
  const desired = new DesiredServices();
  const a = definition('a', ['v1', true], ['v2', false]);
  expect([...desired.replace(undefined, a)]).toEqual(['v1.g.example.com', 'v2.g.example.com']);
  expect(desired.get('v1.g.example.com')).toEqual({
    group: 'g.example.com',
    version: 'v1',
    groupPriorityMinimum: 1000,
    versionPriority: 100,
  });
  expect(desired.get('v2.g.example.com')).toBeUndefined();
  const b = definition('b', ['v1', true]);
  desired.replace(undefined, b);
  const changed = definition('a', ['v3', true]);
  expect([...desired.replace(a, changed)].sort()).toEqual([
    'v1.g.example.com',
    'v2.g.example.com',
    'v3.g.example.com',
  ]);
  expect(desired.get('v1.g.example.com')).toBeDefined();
  desired.replace(b, undefined);
  desired.replace(changed, undefined);
  for (const version of ['v1', 'v3']) expect(desired.get(`${version}.g.example.com`)).toBeUndefined();
});

it('finds a service without looking at the other versions', () => {
  let read = 0;
  const versions = Array.from({ length: 10_000 }, (_, i) => ({
    get name() {
      read++;
      return `v${i}`;
    },
    served: true,
  }));
  const desired = new DesiredServices();
  const names = desired.replace(undefined, {
    metadata: { name: 'a' },
    spec: { group: 'g', versions },
  } as never);
  for (const name of names) expect(desired.get(name)).toBeDefined();
  expect(read).toBe(10_000);
});
