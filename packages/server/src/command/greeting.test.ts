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
    isPortSet: false,
    own: undefined,
    ...changes,
  }).split('\n');

describe('greetingText', () => {
  it('prints five lines', () => {
    expect(text({})).toEqual([
      'serving     https://127.0.0.1:6443',
      'storage     memory',
      'vocabulary  kubernetes',
      'connect     with the given certificates and tokens',
      'stop        Ctrl-C',
      '',
    ]);
  });

  it('prints the actual address where the default port is in use', () => {
    const moved = [listener('https://127.0.0.1:6444'), listener('unix:/s')];
    expect(text({ listeners: moved })[0]).toBe(
      'serving     https://127.0.0.1:6444 and unix:/s (6443 is in use)',
    );
    expect(text({ listeners: moved, isPortSet: true })[0]).toBe(
      'serving     https://127.0.0.1:6444 and unix:/s',
    );
  });

  it('prints the flag that kubectl needs', () => {
    expect(text({ vocabulary: orchVocabulary })[2]).toBe(
      'vocabulary  orch (kubectl needs --vocabulary kubernetes)',
    );
  });

  it('prints commands that are quoted for a shell', () => {
    const folder = new StateFolder(root);
    const identity = { certificate: 'c', key: 'k', certificateAuthority: 'a', token: 'of-the-administrator' };
    const [, , , way = ''] = text({ own: { folder, identity } });
    const quoted = `'${root.replaceAll("'", `'\\''`)}/kubeconfig'`;
    expect(way).toContain(`export KUBECONFIG=${quoted} `);
    expect(way).toContain(' https://127.0.0.1:6443/api/v1/namespaces');
    expect(way).not.toContain(identity.token);
  });
});
