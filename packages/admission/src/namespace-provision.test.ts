import { StatusError } from '@ashlar/core';
import { expect, it } from 'vitest';
import { createAdmissionChain } from './admission-chain.ts';
import { createNamespaceProvision, createNamespaceRequirement } from './namespace-provision.ts';
import { requestFor } from './request.fixture.ts';

const NAMESPACES = { group: '', resource: 'namespaces' };
const namespace = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

it('namespaces of new objects are created, unless they exist or nothing is stored', async () => {
  const created: string[] = [];
  const chain = createAdmissionChain([
    createNamespaceProvision({
      namespace: (name) => (name === 'there' ? namespace(name) : undefined),
      async create(name) {
        created.push(name);
        if (name === 'raced') throw StatusError.alreadyExists(NAMESPACES, name);
        if (name === 'bad') throw new Error('no room');
      },
    }),
  ]);
  for (const name of ['there', 'new', 'raced', '']) await chain.mutate(requestFor({ namespace: name }));
  await chain.mutate(requestFor({ namespace: 'dry', dryRun: true }));
  await chain.mutate(requestFor({ namespace: 'updated', operation: 'UPDATE' }));
  expect(created).toEqual(['new', 'raced']);
  await expect(chain.mutate(requestFor({ namespace: 'bad' }))).rejects.toThrow(
    'pages "a" is forbidden: no room',
  );
});

it('writes in namespaces that do not exist are refused, if the newest state is without them', async () => {
  const chain = createAdmissionChain([
    createNamespaceRequirement((name, { allowCached }) =>
      name === 'old' || (name === 'new' && !allowCached) ? namespace(name) : undefined,
    ),
  ]);
  for (const name of ['old', 'new', '']) await chain.validate(requestFor({ namespace: name }));
  for (const operation of ['CREATE', 'UPDATE', 'DELETE'] as const)
    await expect(chain.validate(requestFor({ namespace: 'none', operation }))).rejects.toThrow(
      'namespaces "none" not found',
    );
});
