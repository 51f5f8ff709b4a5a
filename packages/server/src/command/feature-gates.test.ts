import { gunzipSync } from 'node:zlib';
import { parseFeatureGates } from '@ashlar/lifecycle';
import { afterEach, describe, expect, it } from 'vitest';
import type { ApiServer } from '../assembly/api-server.ts';
import { createApiServer } from '../assembly/create-api-server.ts';
import { emulatedReleaseOf, featureGatesFrom } from './flags/feature-flags.ts';
import { parseFlags } from './flags/flags.ts';
import { serveFlags } from './flags/serve-flags.ts';

const open: ApiServer[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function serverWith(gates?: string): Promise<ApiServer> {
  const server = createApiServer(gates === undefined ? {} : { featureGates: parseFeatureGates(gates) });
  open.push(server);
  await server.ready;
  return server;
}

const NAMESPACES = 'http://server/api/v1/namespaces';
const CONFIG_MAPS = `${NAMESPACES}/default/configmaps`;

describe('CBORServingAndStorage', () => {
  it('is off by default', async () => {
    const server = await serverWith();
    const response = await server.fetch(new Request(NAMESPACES, { headers: { accept: 'application/cbor' } }));
    expect(response.status).toBe(406);
  });

  it('serves CBOR, also of a fork', async () => {
    const server = await serverWith('CBORServingAndStorage=true');
    const fork = server.fork();
    open.push(fork);
    for (const each of [server, fork]) {
      const response = await each.fetch(new Request(NAMESPACES, { headers: { accept: 'application/cbor' } }));
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/cbor']);
    }
  });
});

describe('APIResponseCompression', () => {
  async function long(gates?: string): Promise<Response> {
    const server = await serverWith(gates);
    const body = JSON.stringify({ metadata: { name: 'a' }, data: { a: 'b'.repeat(200_000) } });
    const headers = { 'content-type': 'application/json' };
    await server.fetch(new Request(CONFIG_MAPS, { method: 'POST', headers, body }));
    return server.fetch(new Request(CONFIG_MAPS, { headers: { 'accept-encoding': 'gzip' } }));
  }

  it('is on by default', async () => {
    const response = await long();
    expect(response.headers.get('content-encoding')).toBe('gzip');
    const list = JSON.parse(gunzipSync(await response.arrayBuffer()).toString());
    expect(list.items[0].data.a).toHaveLength(200_000);
  });

  it('can be switched off', async () => {
    expect((await long('APIResponseCompression=false')).headers.get('content-encoding')).toBeNull();
  });
});

describe('--feature-gates', () => {
  it('parses feature gates, and rejects unknown ones', () => {
    const { 'feature-gates': gates } = parseFlags(serveFlags, ['--feature-gates', 'AllAlpha=true']);
    expect(gates?.isEnabled('CBORServingAndStorage')).toBe(true);
    expect(() => parseFlags(serveFlags, ['--feature-gates=Nonsense=true'])).toThrow(
      'flag --feature-gates: unrecognized feature gate: Nonsense',
    );
  });

  it('lists the feature gates in its help, and which have no effect', () => {
    const { meaning } = serveFlags['feature-gates'];
    expect(meaning).toContain('CBORServingAndStorage (alpha, off)');
    expect(meaning).not.toContain('WatchBookmark (');
    expect(meaning).toContain('WatchBookmark have no effect any more');
  });

  it('takes the emulated release in both forms', () => {
    const release = (...words: readonly string[]) => emulatedReleaseOf(parseFlags(serveFlags, words));
    expect(release()).toBeUndefined();
    expect(release('--emulated-version=kube=1.31')).toBe('1.31');
    expect(release('--emulated-version', '1.30', '--emulate=1.30')).toBe('1.30');
    expect(() => release('--emulated-version=1.30', '--emulate=1.31')).toThrow(
      'flags --emulate and --emulated-version are two releases, 1.31 and 1.30',
    );
    expect(() => release('--emulated-version=next')).toThrow(
      'flag --emulated-version: "next" is no release such as 1.25',
    );
  });

  it('are those of the emulated release', () => {
    const gates = (text: string, emulate: string) =>
      featureGatesFrom(parseFlags(serveFlags, [`--feature-gates=${text}`, '--emulate', emulate]));
    expect(gates('AllAlpha=true', '1.32')?.isEnabled('CBORServingAndStorage')).toBe(true);
    expect(gates('AllAlpha=true', '1.31')?.isEnabled('CBORServingAndStorage')).toBe(false);
    expect(() => gates('CBORServingAndStorage=true', '1.31')).toThrow(
      'flag --feature-gates: cannot set feature gate CBORServingAndStorage to true, feature is PreAlpha at emulated version 1.31',
    );
  });
});
