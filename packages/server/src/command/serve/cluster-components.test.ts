import type { Transport, TransportResponse } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import { clusterComponents } from './cluster-components.ts';

const answer = (status: number, text: string): TransportResponse => {
  const bytes = new TextEncoder().encode(text);
  async function* stream() {
    yield bytes;
  }
  return { status, headers: {}, body: async () => bytes, stream };
};

const asked: string[] = [];
const healthOf = (
  name: string,
  request: Transport['request'],
  currentRevision = () => Promise.resolve(1),
) => {
  const transport: Transport = {
    request(url, options) {
      asked.push(`${options.method} ${url} ${options.tls?.insecure}`);
      return request(url, options);
    },
  };
  const clock = createSteppedClock();
  const components = clusterComponents({ transport, clock, storage: { currentRevision } });
  return components.find((component) => component.name === name)?.check();
};

describe('components of the cluster', () => {
  it('answer for themselves at their ports of this machine', async () => {
    expect(await healthOf('scheduler', async () => answer(200, 'ok'))).toEqual({
      status: 'True',
      message: 'ok',
    });
    expect(asked.at(-1)).toBe('GET https://127.0.0.1:10259/healthz true');
    await healthOf('controller-manager', async () => answer(200, 'ok'));
    expect(asked.at(-1)).toBe('GET https://127.0.0.1:10257/healthz true');
  });

  it('are not healthy where their answer says so, and unknown where it leads elsewhere', async () => {
    expect(await healthOf('scheduler', async () => answer(500, 'secret'))).toEqual({
      status: 'False',
      message: 'HTTP probe failed with statuscode: 500',
    });
    expect(await healthOf('scheduler', async () => answer(302, 'there'))).toEqual({
      status: 'Unknown',
      message: 'Probe terminated redirects, Response body: there',
    });
  });

  it('are not healthy where nobody listens', async () => {
    const nobody = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    expect(await healthOf('scheduler', () => Promise.reject(nobody))).toEqual({
      status: 'False',
      message: 'Get "https://127.0.0.1:10259/healthz": dial tcp 127.0.0.1:10259: connect: connection refused',
    });
  });

  it('show no more of a long answer than fits', async () => {
    const health = await healthOf('scheduler', async () => answer(200, 'x'.repeat(20_000)));
    expect(health?.message).toHaveLength(10_240);
  });

  it('have the storage among them', async () => {
    const unused = () => Promise.reject(new Error('not asked'));
    expect(await healthOf('etcd-0', unused)).toEqual({ status: 'True', message: 'ok' });
    const broken = () => Promise.reject(new Error('no leader'));
    expect(await healthOf('etcd-0', unused, broken)).toEqual({ status: 'False', error: 'no leader' });
  });
});
