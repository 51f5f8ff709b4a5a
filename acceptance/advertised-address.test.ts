import { expect, it } from 'vitest';
import { ROOT, ServedCommand } from './clauses/command/served-command.fixture.ts';

it('an address to advertise is told at /api', async () => {
  await using server = await new ServedCommand('orch.io').start(['--advertise-address=192.0.2.7']);
  const { body } = await server.get('/api', ROOT);
  expect(body.serverAddressByClientCIDRs).toEqual([
    { clientCIDR: '0.0.0.0/0', serverAddress: `192.0.2.7:${new URL(server.url).port}` },
  ]);
});
