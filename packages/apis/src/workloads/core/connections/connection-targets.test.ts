import type { ApiObject, StatusError } from '@ashlar/core';
import type { ConnectionTarget } from '@ashlar/registry';
import { describe, expect, it } from 'vitest';
import {
  addressedNode,
  addressedPod,
  loggedContainer,
  runningContainer,
  runningPod,
  servedService,
} from './connection-targets.ts';

const objects: Readonly<Record<string, object>> = {
  one: { spec: { containers: [{ name: 'c' }], initContainers: [{ name: 'i' }] } },
  two: { spec: { containers: [{ name: 'c' }, { name: 'd' }], initContainers: [{ name: 'i' }] } },
  placed: { spec: { nodeName: 'n', containers: [{ name: 'c' }] }, status: { podIP: '10.1.0.1' } },
  bare: {},
  reachable: { status: { addresses: [{ type: 'Hostname', address: 'n' }] } },
  'nodes/n': { status: { addresses: [{ type: 'Hostname', address: 'n' }] } },
  lost: { spec: { nodeName: 'gone', containers: [{ name: 'c' }] } },
  unreachable: { spec: { nodeName: 'silent', containers: [{ name: 'c' }] } },
  'nodes/silent': { status: {} },
  web: { spec: { ports: [{ port: 80 }] } },
  'endpoints/web': { subsets: [{ addresses: [{ ip: '10.1.0.1' }] }] },
  idle: { spec: { ports: [{ port: 80 }] } },
  'endpoints/idle': {},
};

async function found(target: ConnectionTarget, name: string, container = ''): Promise<unknown> {
  const read = async (of: string, plural?: string): Promise<ApiObject> => {
    const object = objects[plural ? `${plural}/${of}` : of];
    if (!object) throw new Error(`no ${plural ?? ''} ${of}`);
    return { ...object, metadata: { name: of } } as ApiObject;
  };
  try {
    return await target(name, read, { all: () => (container ? [container] : []) });
  } catch (error) {
    return `${(error as StatusError).code} ${(error as StatusError).message}`;
  }
}

describe('what a connection leads to', () => {
  it('is a container on a host', async () => {
    const why = '400 pod one does not have a host assigned';
    expect(await found(runningContainer, 'one')).toBe(why);
    expect(await found(runningContainer, 'one', 'i')).toBe(why);
    expect(await found(runningContainer, 'one', 'x')).toBe('400 container x is not valid for pod one');
    expect(await found(runningContainer, 'two')).toBe(
      '400 a container name must be specified for pod two, choose one of: [i c d]',
    );
    expect(await found(runningContainer, 'placed')).toBeUndefined();
    expect(await found(runningPod, 'two')).toBe('400 pod two does not have a host assigned');
    expect(await found(runningPod, 'placed')).toBeUndefined();
  });

  it('has no logs before it has a host', async () => {
    expect(await found(loggedContainer, 'one')).toBe('nothing yet');
    expect(await found(loggedContainer, 'two')).toMatch(/^400 a container name must be specified/);
    expect(await found(loggedContainer, 'placed')).toBeUndefined();
  });

  it.each([runningContainer, loggedContainer, runningPod])(
    'is on a node that is there and has an address',
    async (target) => {
      expect(await found(target, 'lost')).toMatch(/no nodes gone$/);
      const why = '500 no preferred addresses found; known addresses: []';
      expect(await found(target, 'unreachable')).toBe(why);
    },
  );

  it('has an address', async () => {
    expect(await found(addressedPod, 'http:one:80')).toBe('400 address not allowed');
    expect(await found(addressedPod, 'placed:80')).toBeUndefined();
    expect(await found(addressedPod, 'a:b:c:d')).toBe('400 invalid pod request "a:b:c:d"');
    expect(await found(addressedPod, 'ftp:placed:80')).toMatch(/^400 invalid pod request/);
    expect(await found(addressedNode, 'bare')).toBe('500 no preferred addresses found; known addresses: []');
    expect(await found(addressedNode, 'https:reachable:')).toBeUndefined();
  });

  it('is a service with endpoints', async () => {
    expect(await found(servedService, 'web')).toBeUndefined();
    expect(await found(servedService, 'https:web:80')).toBeUndefined();
    expect(await found(servedService, 'web:81')).toBe('503 no service port 81 found for service "web"');
    expect(await found(servedService, 'idle')).toBe('503 no endpoints available for service "idle"');
  });
});
