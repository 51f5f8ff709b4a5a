import { kubernetesVocabulary } from '@ashlar/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { causesOf, InMemoryResource } from '../types/in-memory-resource.fixture.ts';
import { configMaps } from './configmaps.ts';

const FROZEN = 'Forbidden: field is immutable when `immutable` is set';
let resource: InMemoryResource;

beforeEach(() => {
  resource = new InMemoryResource(configMaps(kubernetesVocabulary));
});

describe('configmaps', () => {
  it('store strings and bytes, and drop empty maps', async () => {
    const stored = await resource.create({ metadata: { name: 'a' }, data: { k: 'v' }, binaryData: {} });
    expect(stored).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1', data: { k: 'v' } });
    expect(stored).not.toHaveProperty('binaryData');
    expect(stored).not.toHaveProperty('immutable');
  });

  it('show the number of keys of both maps and their age', async () => {
    const stored = await resource.create({
      metadata: { name: 'a' },
      data: { k: 'v' },
      binaryData: { b: 'AAE=' },
    });
    expect(resource.cells(stored)).toEqual(['a', 2, '90s']);
  });

  it('can be replaced without a version, but not created by PUT', async () => {
    await resource.create({ metadata: { name: 'a' }, data: { k: 'v' } });
    expect(await resource.replace('a', { metadata: { name: 'a' } })).not.toHaveProperty('data');
    await expect(resource.replace('b', { metadata: { name: 'b' } })).rejects.toThrow(
      'configmaps "b" not found',
    );
  });

  it('reject keys that are not file names', async () => {
    const rule =
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
    const refused = resource.create({
      metadata: { name: 'a' },
      data: { 'a/b': '', '..': '' },
      binaryData: { '': 'AA==' },
    });
    expect(await causesOf(refused)).toEqual([
      `data[..]: Invalid value: "..": must not be '..'`,
      `data[a/b]: Invalid value: "a/b": ${rule}`,
      `binaryData[]: Invalid value: "": ${rule}`,
    ]);
  });

  it('reject a key in both maps', async () => {
    const refused = resource.create({ metadata: { name: 'a' }, data: { k: '' }, binaryData: { k: 'AA==' } });
    expect(await causesOf(refused)).toEqual([
      `data[k]: Invalid value: "k": duplicate of key present in binaryData`,
    ]);
  });

  it('accept one mebibyte of values and no byte more', async () => {
    const bytes = btoa('x'.repeat(1024));
    const data = { k: 'ü'.repeat((1024 * 1024 - 1024) / 2) };
    await resource.create({ metadata: { name: 'exact' }, data, binaryData: { b: bytes } });
    const refused = resource.create({
      metadata: { name: 'over' },
      data: { ...data, l: 'y' },
      binaryData: { b: bytes },
    });
    expect(await causesOf(refused)).toEqual(['[]: Too long: may not be more than 1048576 bytes']);
  });

  it('that are immutable change in metadata only, with an error for each field', async () => {
    await resource.create({ metadata: { name: 'a' }, data: { k: 'v' }, immutable: true });
    const refused = resource.replace('a', {
      metadata: { name: 'a' },
      data: { k: 'w' },
      binaryData: { b: 'AA==' },
    });
    expect(await causesOf(refused)).toEqual([
      `immutable: ${FROZEN}`,
      `data: ${FROZEN}`,
      `binaryData: ${FROZEN}`,
    ]);
    const labelled = await resource.replace('a', {
      metadata: { name: 'a', labels: { x: 'y' } },
      data: { k: 'v' },
      immutable: true,
    });
    expect(labelled.metadata.labels).toEqual({ x: 'y' });
  });

  it('have only name and namespace as selectable fields', async () => {
    await expect(resource.select('data=x')).rejects.toThrow('"data" is not a known field selector');
  });
});
