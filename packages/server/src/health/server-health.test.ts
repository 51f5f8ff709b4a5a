import { kubernetesVocabulary, StatusError } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { nodeRandom } from '@ashlar/http-node';
import { createMemoryStore, type KeyValueStore } from '@ashlar/storage';
import { describe, expect, it } from 'vitest';
import type { ApiServer } from '../assembly/api-server.ts';
import { createApiServer } from '../assembly/create-api-server.ts';

const vocabulary = kubernetesVocabulary;

async function ask({ fetch }: ApiServer, path: string): Promise<{ status: number; text: string }> {
  const response = await fetch(new Request(`http://server${path}`));
  return { status: response.status, text: await response.text() };
}

/** An in-memory store whose writes can fail on demand. */
function storeThatPuts(put: () => Promise<never>): KeyValueStore {
  return new Proxy(createMemoryStore({ clock: createSteppedClock() }), {
    get(store, name) {
      if (name === 'put') return put;
      const value = Reflect.get(store, name, store);
      return typeof value === 'function' ? value.bind(store) : value;
    },
  });
}

describe('the health of a server', () => {
  it('includes the checks of its host', async () => {
    let fault: Error | undefined;
    await using server = createApiServer({
      healthChecks: [
        {
          name: 'queue',
          endpoints: ['readyz'],
          check: () => {
            if (fault) throw fault;
          },
        },
      ],
    });
    await server.ready;
    expect((await ask(server, '/readyz/queue')).status).toBe(200);
    fault = new Error('too long');
    expect((await ask(server, '/readyz')).status).toBe(500);
    expect((await ask(server, '/readyz?exclude=queue')).status).toBe(200);
    expect((await ask(server, '/livez')).status).toBe(200);
  });

  it('is live but not ready while the storage is read-only', async () => {
    const clock = createSteppedClock();
    let fault: Error | undefined;
    const memory = createMemoryStore({ clock });
    const storage: KeyValueStore = new Proxy(memory, {
      get(store, name) {
        if (name === 'check') return () => (fault ? Promise.reject(fault) : Promise.resolve());
        const value = Reflect.get(store, name, store);
        return typeof value === 'function' ? value.bind(store) : value;
      },
    });
    await using server = createApiServer({ storage, ambient: { clock, random: nodeRandom, vocabulary } });
    await server.ready;
    expect((await ask(server, '/readyz?verbose')).text).toContain('[+]etcd-readiness ok\n');
    fault = new Error('the file has been removed');
    clock.advance(1000);
    expect((await ask(server, '/readyz')).text).toContain('[-]etcd-readiness failed: reason withheld\n');
    expect((await ask(server, '/readyz/etcd-readiness')).text).toContain('the file has been removed');
    expect((await ask(server, '/livez')).status).toBe(200);
    fault = undefined;
    clock.advance(1000);
    expect((await ask(server, '/readyz')).status).toBe(200);
  });

  it('lists each check', async () => {
    await using server = createApiServer({ authorizer: ({ rbac }) => rbac(), vocabulary });
    await server.ready;
    const { text } = await ask(server, '/readyz?verbose');
    const names = text.split('\n').flatMap((line) => /^\[\+\](.*) ok$/.exec(line)?.[1] ?? []);
    expect(names).toEqual([
      ...['ping', 'log', 'etcd', 'etcd-readiness', 'informer-sync'],
      'poststarthook/start-apiserver-admission-initializer',
      'poststarthook/generic-apiserver-start-informers',
      'poststarthook/storage-object-count-tracker-hook',
      'poststarthook/start-apiextensions-informers',
      'poststarthook/start-apiextensions-controllers',
      'poststarthook/crd-informer-synced',
      'poststarthook/start-system-namespaces-controller',
      'poststarthook/rbac/bootstrap-roles',
      'poststarthook/start-kube-aggregator-informers',
      'poststarthook/apiservice-status-local-available-controller',
      'poststarthook/apiservice-status-remote-available-controller',
      'poststarthook/apiservice-registration-controller',
      'poststarthook/apiservice-discovery-controller',
      'poststarthook/kube-apiserver-autoregistration',
      'autoregister-completion',
      'poststarthook/apiservice-openapi-controller',
      'poststarthook/apiservice-openapiv3-controller',
      'shutdown',
    ]);
    expect(text.split('\n').slice(names.length)).toEqual(['healthz check passed', '']);
  });

  it('does not wait for a slow start', async () => {
    const begun: ((error: Error) => void)[] = [];
    const put = (): Promise<never> => new Promise((_, reject) => begun.push(reject));
    await using server = createApiServer({ storage: storeThatPuts(put) });
    await expect.poll(() => begun.length).toBe(1);
    expect((await ask(server, '/readyz/poststarthook/start-system-namespaces-controller')).text).toBe(
      'internal server error: not finished\n',
    );
    expect((await ask(server, '/livez')).status).toBe(500);
    for (const fail of begun) fail(new Error('given up'));
  });

  it('fails while stored definitions are not served yet', async () => {
    const clock = createSteppedClock();
    const details = { retryAfterSeconds: 1 };
    let fault: Error | undefined = new StatusError({
      ...{ code: 503, reason: 'ServiceUnavailable', message: 'no leader', details },
    });
    const memory = createMemoryStore({ clock });
    const storage: KeyValueStore = new Proxy(memory, {
      get(store, name) {
        if (name === 'range' && fault) return () => Promise.reject(fault);
        const value = Reflect.get(store, name, store);
        return typeof value === 'function' ? value.bind(store) : value;
      },
    });
    await using server = createApiServer({ storage, ambient: { clock, random: nodeRandom, vocabulary } });
    const synced = '/readyz/poststarthook/crd-informer-synced';
    await expect
      .poll(
        async () => (await ask(server, '/readyz/poststarthook/start-system-namespaces-controller')).status,
      )
      .toBe(200);
    expect((await ask(server, synced)).text).toBe('internal server error: not finished\n');
    expect((await ask(server, '/readyz')).status).toBe(500);
    fault = undefined;
    clock.advance(2000);
    await server.ready;
    expect((await ask(server, synced)).status).toBe(200);
  });

  it('has a grace period for the start', async () => {
    const clock = createSteppedClock();
    const storage = storeThatPuts(() => Promise.reject(new Error('read only')));
    const ambient = { clock, random: nodeRandom, vocabulary };
    await using server = createApiServer({ storage, ambient, livezGraceMilliseconds: 5000 });
    await expect(server.ready).rejects.toThrow();
    const statuses = async (): Promise<readonly number[]> => [
      (await ask(server, '/livez')).status,
      (await ask(server, '/readyz')).status,
    ];
    expect(await statuses()).toEqual([200, 500]);
    clock.advance(5000);
    expect(await statuses()).toEqual([500, 500]);
  });
});
