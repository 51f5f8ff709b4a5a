import type { AdmissionChain } from '@ashlar/admission';
import { type ApiObject, orchVocabulary, StatusError } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { createTestResource, pages } from '../objects/test-resource.fixture.ts';
import { withAdmission } from './with-admission.ts';

const page = { kind: 'Page', apiVersion: 'books.io/v1', metadata: {}, text: 'asked' } as unknown as ApiObject;

function answering(refuse = false) {
  const { store, clock, context } = createTestResource();
  const random = { bytes: (bytes: Uint8Array<ArrayBuffer>) => bytes };
  const asked: string[] = [];
  const admission: AdmissionChain = {
    mutate: ({ object, operation, name }) => {
      asked.push(`mutate ${operation} ${name}`);
      return { ...object, text: 'changed' } as unknown as ApiObject;
    },
    validate: ({ object }) => {
      asked.push(`validate ${(object as { text?: string } | undefined)?.text}`);
      if (refuse) throw StatusError.badRequest('no');
    },
  };
  const storage = withAdmission(
    pages,
    { create: async (_, object) => ({ ...object, metadata: { name: 'answer' } }) },
    { store, ambient: { clock, random, vocabulary: orchVocabulary }, admission },
  );
  return { asked, answer: () => storage.create?.(context(), page) };
}

describe('an object that is answered and not stored', () => {
  it('passes both chains of admission as a creation', async () => {
    const { asked, answer } = answering();
    expect(await answer()).toMatchObject({ metadata: { name: 'answer' }, text: 'changed' });
    expect(asked).toEqual(['mutate CREATE ', 'validate changed']);
  });

  it('is not answered if admission refuses it', async () => {
    await expect(answering(true).answer()).rejects.toThrow('no');
  });
});
