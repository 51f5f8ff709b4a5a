import { StatusError } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { createAdmissionChain } from './admission-chain.ts';
import type { AdmissionPlugin } from './admission-request.ts';
import { requestFor } from './request.fixture.ts';

const object = (text: string) => ({ apiVersion: 'v1', kind: 'Page', metadata: { name: 'a' }, text });

const appending = (suffix: string): AdmissionPlugin => ({
  name: suffix,
  handles: () => true,
  mutate: ({ object: seen }) => object((seen as unknown as { text: string }).text + suffix),
});

describe('createAdmissionChain', () => {
  it('hands each plugin what those before it have made', async () => {
    const request = requestFor({ object: object('-') });
    const chain = createAdmissionChain([appending('a'), appending('b')]);
    expect(await chain.mutate(request)).toEqual(object('-ab'));
    expect(request.object).toEqual(object('-'));
  });

  it('leaves an object as it is where nobody changes it', async () => {
    const request = requestFor({ object: object('x') });
    const idle: AdmissionPlugin = { name: 'idle', handles: () => true, mutate: () => undefined };
    expect(await createAdmissionChain([]).mutate(request)).toBe(request.object);
    expect(await createAdmissionChain([idle]).mutate(request)).toBe(request.object);
    expect(await createAdmissionChain([idle]).mutate(requestFor({ operation: 'DELETE' }))).toBeUndefined();
  });

  it('asks only those who want to be asked, about the object as it is by then', async () => {
    const asked: string[] = [];
    const picky: AdmissionPlugin = {
      name: 'picky',
      handles: ({ object: seen }) => (seen as unknown as { text: string }).text === '-a',
      mutate: () => void asked.push('mutate'),
      validate: () => void asked.push('validate'),
    };
    await createAdmissionChain([picky, appending('a'), picky]).mutate(requestFor({ object: object('-') }));
    await createAdmissionChain([picky]).validate(requestFor({ object: object('-') }));
    await createAdmissionChain([picky]).validate(requestFor({ object: object('-a') }));
    expect(asked).toEqual(['mutate', 'validate']);
  });

  it('ends with the first rejection', async () => {
    const asked: string[] = [];
    const refusing: AdmissionPlugin = {
      name: 'no',
      handles: () => true,
      validate: () => Promise.reject(StatusError.forbidden(undefined, '', 'no')),
    };
    const after: AdmissionPlugin = {
      name: 'after',
      handles: () => true,
      validate: () => void asked.push('after'),
    };
    await expect(createAdmissionChain([refusing, after]).validate(requestFor({}))).rejects.toThrow(
      'forbidden: no',
    );
    expect(asked).toEqual([]);
  });
});
