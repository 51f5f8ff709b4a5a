import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kubernetesVocabulary, orchVocabulary, type Vocabulary } from '@ashlar/core';
import { nodeAmbient, nodeClock } from '@ashlar/http-node';
import { createSqliteStore } from '@ashlar/storage-sqlite';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { ApiServer } from './api-server.ts';
import { createApiServer } from './create-api-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'ashlar-vocabulary-'));
afterAll(() => rmSync(folder, { recursive: true }));

const open = async (file: string, vocabulary: Vocabulary): Promise<ApiServer> =>
  createApiServer({
    vocabulary,
    storage: await createSqliteStore({ file: join(folder, file), clock: nodeClock }),
    onError: report,
  });
const report = vi.fn();

describe('a durable store', () => {
  it('is opened again with the vocabulary that it was made with', async () => {
    for (let start = 0; start < 2; start++) {
      await using server = await open('same.db', kubernetesVocabulary);
      await server.ready;
    }
    expect(report).not.toHaveBeenCalled();
  });

  it('is rejected with another', async () => {
    await using first = await open('other.db', orchVocabulary);
    await first.ready;
    await first.close();
    await using second = await open('other.db', kubernetesVocabulary);
    await expect(second.ready).rejects.toThrow(
      'option "storage" of createApiServer holds objects of the vocabulary orch, not kubernetes: choose another store, or the vocabulary that it was made with',
    );
  });

  it('is rejected with content of another program', async () => {
    const storage = await createSqliteStore({ file: join(folder, 'foreign.db'), clock: nodeClock });
    await storage.put('/registry/pods/a', new Uint8Array([1]));
    await using server = createApiServer({ storage, onError: report });
    await expect(server.ready).rejects.toThrow(
      'option "storage" of createApiServer holds /registry/pods/a, which was not written by an ashlar server',
    );
  });
});

describe('the vocabulary of a server', () => {
  it('is that of its ambient', async () => {
    await using server = createApiServer({ ambient: nodeAmbient(kubernetesVocabulary) });
    expect(server.vocabulary.name).toBe('kubernetes');
    await server.ready;
  });

  it('cannot differ from it', () => {
    const options = { ambient: nodeAmbient(kubernetesVocabulary), vocabulary: orchVocabulary };
    expect(() => createApiServer(options)).toThrow(
      'option "vocabulary" of createApiServer is orch, and that of its ambient is kubernetes: give the same one, or leave out the option',
    );
  });
});
