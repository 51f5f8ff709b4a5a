import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseStorageLocation, type StorageLocation, storageLocationText } from './storage-location.ts';

describe('parseStorageLocation', () => {
  it.each<[string, StorageLocation]>([
    ['memory', { engine: 'memory' }],
    ['sqlite:a.db', { engine: 'sqlite', file: 'a.db' }],
    ['sqlite:/a b/c:d.db', { engine: 'sqlite', file: '/a b/c:d.db' }],
    ['postgres://ann@db:5432/shop', { engine: 'postgres', connectionString: 'postgres://ann@db:5432/shop' }],
    ['etcd:http://a:1,https://b:2', { engine: 'etcd', endpoints: ['http://a:1', 'https://b:2'] }],
  ])('%s', (text, location) => {
    expect(parseStorageLocation(text)).toEqual(location);
    expect(storageLocationText(location)).toBe(text);
  });

  it.each([
    '',
    'sqlite',
    'sqlite:',
    'Memory',
    'memory ',
    'postgres:x',
    'etcd:',
    'etcd:a:1',
    'etcd:http://a,',
  ])('rejects "%s"', (text) => {
    expect(() => parseStorageLocation(text)).toThrow(/is not an? (storage location|endpoint)/);
  });

  it('parses every file that it prints', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (file) => {
        expect(parseStorageLocation(storageLocationText({ engine: 'sqlite', file }))).toEqual({
          engine: 'sqlite',
          file,
        });
      }),
    );
  });
});
