import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import type { Listener } from '@ashlar/http-node';
import { afterAll, describe, expect, it } from 'vitest';
import { type Greeting, greetingText } from './greeting.ts';
import { StateFolder } from './storage/state-folder.ts';

const root = mkdtempSync(join(tmpdir(), "it's here-"));
afterAll(() => rmSync(root, { recursive: true }));

const listener = (url: string): Listener => ({ url }) as Listener;
const text = (changes: Partial<Greeting>): readonly string[] =>
  greetingText({
    vocabulary: kubernetesVocabulary,
    storage: { engine: 'memory' },
    listeners: [listener('https://127.0.0.1:6443')],
    portGiven: false,
    own: undefined,
    ...changes,
  }).split('\n');

describe('greetingText', () => {
  it('says in five lines what a person must know', () => {
    expect(text({})).toEqual([
      'serving     https://127.0.0.1:6443',
      'storage     memory',
      'vocabulary  kubernetes',
      'reach it    with the certificates and tokens that it was given',
      'stop it     Ctrl-C',
      '',
    ]);
  });

  it('says where it is instead of where it would be', () => {
    const moved = [listener('https://127.0.0.1:6444'), listener('unix:/s')];
    expect(text({ listeners: moved })[0]).toBe(
      'serving     https://127.0.0.1:6444 and unix:/s (6443 is taken)',
    );
    expect(text({ listeners: moved, portGiven: true })[0]).toBe(
      'serving     https://127.0.0.1:6444 and unix:/s',
    );
  });

  it('says what clients of the other names need', () => {
    expect(text({ vocabulary: orchVocabulary })[2]).toBe(
      'vocabulary  orch (kubectl needs --vocabulary kubernetes)',
    );
  });

  it('tells ways in that a shell takes as they are', () => {
    const folder = new StateFolder(root);
    const identity = { certificate: 'c', key: 'k', certificateAuthority: 'a', token: 'of-the-administrator' };
    const [, , , way = ''] = text({ own: { folder, identity } });
    const quoted = `'${root.replaceAll("'", `'\\''`)}/kubeconfig'`;
    expect(way).toContain(`export KUBECONFIG=${quoted} `);
    expect(way).toContain(' https://127.0.0.1:6443/api/v1/namespaces');
    expect(way).not.toContain(identity.token);
  });
});
