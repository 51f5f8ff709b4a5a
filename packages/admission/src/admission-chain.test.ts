import { StatusError } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { createAdmissionChain } from './admission-chain.ts';
import type { AdmissionPlugin } from './admission-request.ts';
import { requestFor } from './request.fixture.ts';

const object = (text: string) => ({ apiVersion: 'v1', kind: 'Page', metadata: { name: 'a' }, text });

const appending = (suffix: string): AdmissionPlugin => ({
  name: suffix,
  handles: () => true,
  admit: ({ object: seen }) => object((seen as unknown as { text: string }).text + suffix),
});

describe('createAdmissionChain', () => {
  it('passes each plugin the object of those before it', async () => {
    const request = requestFor({ object: object('-') });
    const chain = createAdmissionChain([appending('a'), appending('b')]);
    expect(await chain.mutate(request)).toEqual(object('-ab'));
    expect(request.object).toEqual(object('-'));
  });

  it('returns the object itself if no plugin changes it', async () => {
    const request = requestFor({ object: object('x') });
    const idle: AdmissionPlugin = { name: 'idle', handles: () => true, admit: () => undefined };
    expect(await createAdmissionChain([]).mutate(request)).toBe(request.object);
    expect(await createAdmissionChain([idle]).mutate(request)).toBe(request.object);
    expect(await createAdmissionChain([idle]).mutate(requestFor({ operation: 'DELETE' }))).toBeUndefined();
  });

  it('calls only plugins that handle the request, with the current object', async () => {
    const asked: string[] = [];
    const picky: AdmissionPlugin = {
      name: 'picky',
      handles: ({ object: seen }) => (seen as unknown as { text: string }).text === '-a',
      admit: () => void asked.push('mutate'),
      validate: () => void asked.push('validate'),
    };
    await createAdmissionChain([picky, appending('a'), picky]).mutate(requestFor({ object: object('-') }));
    await createAdmissionChain([picky]).validate(requestFor({ object: object('-') }));
    await createAdmissionChain([picky]).validate(requestFor({ object: object('-a') }));
    expect(asked).toEqual(['mutate', 'validate']);
  });

  it('stops at the first rejection', async () => {
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
