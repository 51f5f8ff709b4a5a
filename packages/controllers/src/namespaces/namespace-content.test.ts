import type { Client, ResourceReference } from '@ashlar/client';
import { type ApiObject, StatusError } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { deleteContent } from './namespace-content.ts';

const maps = { group: '', version: 'v1', resource: 'configmaps' };
const moons = { group: 'example.com', version: 'v1', resource: 'moons' };

interface Retained {
  readonly objects: Map<string, readonly string[]>;
  readonly deleteCollection?: () => void;
}

/** A client whose objects are deleted, unless finalizers hold them. */
function clientOf(retained: Readonly<Record<string, Retained>>): {
  readonly client: Client;
  readonly calls: string[];
} {
  const calls: string[] = [];
  const resource = ({ resource: plural }: ResourceReference) => ({
    namespace: (namespace: string) => {
      const { objects, deleteCollection } = retained[plural] as Retained;
      const remove = (name: string): void => void (objects.get(name)?.length === 0 && objects.delete(name));
      return {
        async deleteCollection() {
          calls.push(`deletecollection ${namespace} ${plural}`);
          deleteCollection?.();
          for (const name of [...objects.keys()]) remove(name);
        },
        async delete(name: string) {
          calls.push(`delete ${namespace} ${plural} ${name}`);
          remove(name);
        },
        async *all(): AsyncGenerator<Partial<ApiObject>> {
          for (const [name, finalizers] of [...objects]) yield { metadata: { name, finalizers } };
        },
      };
    },
  });
  return { client: { resource } as unknown as Client, calls };
}

const objects = (of: Readonly<Record<string, readonly string[]>>): Map<string, readonly string[]> =>
  new Map(Object.entries(of));

describe('deleteContent', () => {
  it('deletes collections, and finds nothing left', async () => {
    const { client, calls } = clientOf({
      configmaps: { objects: objects({ a: [], b: [] }) },
      moons: { objects: objects({}) },
    });
    expect(await deleteContent(client, 'n', [maps, moons])).toEqual({ remaining: [], failures: [] });
    expect(calls).toEqual(['deletecollection n configmaps', 'deletecollection n moons']);
  });

  it('counts remaining objects, and the finalizers that hold them', async () => {
    const held = objects({ a: ['x.io/f'], b: ['x.io/f', 'y.io/f'], c: [] });
    const { remaining } = await deleteContent(clientOf({ configmaps: { objects: held } }).client, 'n', [
      maps,
    ]);
    expect(remaining).toEqual([
      {
        reference: maps,
        count: 2,
        finalizers: new Map([
          ['x.io/f', 2],
          ['y.io/f', 1],
        ]),
      },
    ]);
  });

  it('deletes one by one without deletecollection', async () => {
    const refused = (): never => {
      throw StatusError.methodNotAllowed();
    };
    const { client, calls } = clientOf({
      moons: { objects: objects({ a: [], b: [] }), deleteCollection: refused },
    });
    expect(await deleteContent(client, 'n', [moons])).toEqual({ remaining: [], failures: [] });
    expect(calls).toEqual(['deletecollection n moons', 'delete n moons a', 'delete n moons b']);
  });

  it('continues with the next type after an error', async () => {
    const broken = (): never => {
      throw StatusError.forbidden(undefined, '', 'no');
    };
    const { client } = clientOf({
      moons: { objects: objects({ a: [] }), deleteCollection: broken },
      configmaps: { objects: objects({ a: [] }) },
    });
    expect(await deleteContent(client, 'n', [moons, maps])).toEqual({
      remaining: [],
      failures: ['forbidden: no'],
    });
  });

  it('takes a type that was removed since discovery for empty', async () => {
    const removed = (): never => {
      throw StatusError.notFound({ group: 'example.com', resource: 'moons' }, '');
    };
    const { client } = clientOf({
      moons: { objects: objects({ a: [] }), deleteCollection: removed },
      configmaps: { objects: objects({}) },
    });
    expect(await deleteContent(client, 'n', [moons, maps])).toEqual({ remaining: [], failures: [] });
  });

  it('stops when aborted', async () => {
    const stop = new AbortController();
    const { client, calls } = clientOf({
      moons: {
        objects: objects({}),
        deleteCollection: () => {
          stop.abort(new Error('stop'));
          throw stop.signal.reason;
        },
      },
      configmaps: { objects: objects({}) },
    });
    await expect(deleteContent(client, 'n', [moons, maps], stop.signal)).rejects.toThrow('stop');
    expect(calls).toEqual(['deletecollection n moons']);
  });
});
