import { writeFileSync } from 'node:fs';
import { defineResource } from '@ashlar/apis';
import { createAggregatedServer } from '@ashlar/server';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hasReference, startReference } from './reference.fixture.ts';

const widgets = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  spec: z.object({ size: z.int().min(1).default(1) }),
  columns: [{ name: 'Size', type: 'integer', cell: ({ spec }) => spec.size }],
});

const manifest = (name: string, namespace: string, size: number): string =>
  JSON.stringify({
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name, namespace },
    spec: { size },
  });

describe.runIf(hasReference)('a server behind the reference', () => {
  test('is used by kubectl as any other API of the cluster', async () => {
    await using reference = await startReference();
    const { kubectl } = reference;
    await using server = await createAggregatedServer({
      resources: [widgets],
      service: { namespace: 'default', name: 'widgets', externalName: 'localhost' },
      kubeconfig: reference.kubeconfig,
    });
    await server.available();
    const file = `${reference.kubeconfig}.json`;
    const apply = async (text: string): Promise<string> => {
      writeFileSync(file, text);
      return kubectl('apply', '-f', file);
    };

    expect(await kubectl('api-resources', '--api-group=example.com', '--no-headers')).toMatch(
      /^widgets +example\.com\/v1 +true +Widget/,
    );
    expect(await apply(manifest('a', 'default', 3))).toBe('widget.example.com/a created\n');
    expect(await kubectl('get', 'widgets')).toMatch(/^NAME +SIZE\na +3/);
    await expect(apply(manifest('a', 'default', 0))).rejects.toThrow('should be greater than or equal to 1');
    expect(await kubectl('patch', 'widget', 'a', '--type=merge', '-p', '{"spec":{"size":7}}')).toMatch(
      'patched',
    );
    const watched = await kubectl('get', 'widgets', '-w', '--request-timeout=2s').catch(
      ({ stdout }: { stdout: string }) => stdout,
    );
    expect(watched).toMatch(/^a +7/m);
    expect(await kubectl('explain', 'widget.spec')).toMatch(/size\s+<integer>/);

    // who may is decided by the cluster's roles
    const alice = ['--token=alice-token', 'get', 'widgets'];
    await expect(kubectl(...alice)).rejects.toThrow('User "alice" cannot list resource "widgets"');
    await kubectl('create', 'clusterrole', 'widgets', '--verb=get,list', '--resource=widgets.example.com');
    await kubectl('create', 'clusterrolebinding', 'widgets', '--clusterrole=widgets', '--user=alice');
    await expect.poll(() => kubectl(...alice).catch(() => ''), { timeout: 30_000 }).toMatch(/^a +7/m);

    // a namespace that does not exist has no objects
    await expect(apply(manifest('a', 'nowhere', 1))).rejects.toThrow('namespaces "nowhere" not found');

    // a server that is away is not a response of its own
    await server.close();
    await expect(kubectl('get', 'widgets')).rejects.toThrow(
      /unable to handle the request|service unavailable|error trying to reach service/,
    );
  });
});
