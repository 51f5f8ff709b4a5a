import { orchVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { contextOf, SharedParameters } from './openapi-v2-parameters.ts';

const query = (name: string): { name: string; in: string; type: string } => ({
  name,
  in: 'query',
  type: 'string',
});
const none = { action: '', kind: '' };

describe('shared parameters of v2', () => {
  it('become one, and are referred to', () => {
    const shared = new SharedParameters();
    expect(shared.share(query('limit'), none)).toEqual({ $ref: '#/parameters/limit-1NfNmdNH' });
    expect(shared.share(query('limit'), none)).toEqual({ $ref: '#/parameters/limit-1NfNmdNH' });
    expect(shared.parameters).toEqual({ 'limit-1NfNmdNH': query('limit') });
  });

  it('differ by action and kind', () => {
    const shared = new SharedParameters();
    const names = [
      shared.share(query('fieldManager'), { action: 'patch', kind: 'Pod' }),
      shared.share(query('fieldManager'), { action: 'put', kind: 'Pod' }),
      shared.share(query('tty'), { action: 'connect', kind: 'PodExecOptions' }),
      shared.share({ ...query('path'), in: 'path' }, none),
    ];
    expect(names.map(({ $ref }) => $ref)).toEqual([
      '#/parameters/fieldManager-7c6nTn1T',
      '#/parameters/fieldManager-Qy4HdaTW',
      '#/parameters/tty-s0flW37O',
      '#/parameters/path-z6Ciiujn',
    ]);
  });

  it('are not those that clients look for in place, of other servers, or of other types', () => {
    const shared = new SharedParameters();
    for (const name of ['dryRun', 'fieldValidation', 'name', 'elsewhere', '__proto__'])
      expect(shared.share(query(name), none)).toEqual(query(name));
    shared.share(query('follow'), none);
    const other = { ...query('follow'), type: 'integer' };
    expect(shared.share(other, none)).toBe(other);
  });

  it('are bodies of no kind of their own', () => {
    const shared = new SharedParameters();
    const body = (type: string): { name: string; in: string; schema: { $ref: string } } => ({
      name: 'body',
      in: 'body',
      schema: { $ref: `#/definitions/${type}` },
    });
    expect(shared.share(body('io.orch.apimachinery.pkg.apis.meta.v1.Patch'), none)).toEqual({
      $ref: '#/parameters/body-78PwaGsr',
    });
    expect(shared.share(body('io.orch.api.core.v1.Pod'), none)).toEqual(body('io.orch.api.core.v1.Pod'));
  });

  it('know their operation by its extensions', () => {
    const operation = { 'x-orch-action': 'patch', 'x-orch-group-version-kind': { kind: 'Pod' } };
    expect(contextOf(operation, orchVocabulary)).toEqual({ action: 'patch', kind: 'Pod' });
    expect(contextOf(undefined, orchVocabulary)).toEqual(none);
  });
});
