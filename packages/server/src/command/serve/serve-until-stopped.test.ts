import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kubernetesVocabulary, StatusError } from '@ashlar/core';
import { nodeAmbient } from '@ashlar/http-node';
import { createMemoryStore, type KeyValueStore } from '@ashlar/storage';
import { afterAll, describe, expect, it } from 'vitest';
import { createApiServer } from '../../assembly/create-api-server.ts';
import type { CommandSurroundings } from '../command-surroundings.ts';
import { StateFolder } from '../storage/state-folder.ts';
import { AdvertisedAddress } from './advertised-address.ts';
import { ClientAuthorities } from './certificates/client-authorities.ts';
import { serveUntilStopped } from './serve-until-stopped.ts';

const vocabulary = kubernetesVocabulary;
const ambient = nodeAmbient(vocabulary);
const folder = new StateFolder(mkdtempSync(join(tmpdir(), 'serve-')));
const identity = await folder.identity(ambient.random);
afterAll(() => rmSync(folder.path, { recursive: true }));

/** An in-memory store whose writes can fail on demand. */
function storeWithFault(fault: () => Error | undefined): KeyValueStore {
  return new Proxy(createMemoryStore(ambient), {
    get(store, name) {
      const error = name === 'put' ? fault() : undefined;
      if (error) return () => Promise.reject(error);
      const value = Reflect.get(store, name, store);
      return typeof value === 'function' ? value.bind(store) : value;
    },
  });
}

const away = StatusError.serviceUnavailable('no leader', 1);

/** A server over the store that runs until it is stopped, and returns the status of a path. */
class Serving {
  readonly #stop = new AbortController();
  readonly #folder = new StateFolder(mkdtempSync(join(folder.path, 'f-')));
  readonly #socket: string = this.#folder.file('socket');
  readonly ended: Promise<void>;
  output = '';

  constructor(storage: KeyValueStore, livezGraceMilliseconds: number) {
    const surroundings: CommandSurroundings = {
      stdout: (text) => {
        this.output += text;
      },
      stderr: () => {},
      signal: this.#stop.signal,
    };
    const server = createApiServer({ vocabulary, storage, livezGraceMilliseconds });
    const flags = { 'secure-port': 0, 'http-socket': this.#socket };
    this.ended = serveUntilStopped(
      flags,
      server,
      { certificate: identity.certificate, key: identity.key },
      { vocabulary, storage: { engine: 'memory' }, own: { folder: this.#folder, identity } },
      surroundings,
      { address: new AdvertisedAddress(flags), authorities: new ClientAuthorities(flags, () => {}) },
    );
  }

  /** The status of a path; 0 without a response. */
  status(path: string): Promise<number> {
    return new Promise((resolve) => {
      const asked = request({ socketPath: this.#socket, path }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0));
      });
      asked.once('error', () => resolve(0)).end();
    });
  }

  stop(): Promise<void> {
    this.#stop.abort();
    return this.ended;
  }
}

const UNKNOWN = '/apis/example.com/v1/widgets';

describe('ashlar serve', () => {
  it('answers requests while it starts, and prints its address when it is ready', async () => {
    let fault: Error | undefined = away;
    const serving = new Serving(
      storeWithFault(() => fault),
      60_000,
    );
    const statuses = (): Promise<readonly number[]> =>
      Promise.all(['/livez', '/readyz', UNKNOWN].map((path) => serving.status(path)));
    await expect.poll(statuses).toEqual([200, 500, 503]);
    expect(serving.output).toBe('');
    fault = undefined;
    await expect.poll(() => serving.output, { timeout: 5000 }).toContain('stop ');
    expect(await statuses()).toEqual([200, 200, 404]);
    await serving.stop();
  });

  it('fails livez unless it is ready within the grace period', async () => {
    const serving = new Serving(
      storeWithFault(() => away),
      0,
    );
    await expect.poll(() => serving.status('/livez')).toBe(500);
    await serving.stop();
    expect(serving.output).toBe('');
  });

  it('fails with its start', async () => {
    const serving = new Serving(
      storeWithFault(() => new Error('read only')),
      0,
    );
    await expect(serving.ended).rejects.toThrow('read only');
    expect(await serving.status('/livez')).toBe(0);
  });
});
