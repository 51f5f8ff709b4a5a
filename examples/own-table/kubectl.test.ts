import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kubernetesVocabulary } from '@ashlar/core';
import { listen } from '@ashlar/http-node';
import { type ApiServer, createApiServer } from '@ashlar/server';
import Database from 'libsql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defineBooks } from './books.ts';

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;

const NEW = `apiVersion: library.example.com/v1
kind: Book
metadata: { name: new, labels: { shelf: a } }
spec: { title: New }
`;
const CHANGED = NEW.replace('New }', 'Newer, pages: 7 }');
const LIST = `apiVersion: v1
kind: List
items:
  - { apiVersion: library.example.com/v1, kind: Book, metadata: { name: x1, labels: { x: '1' } }, spec: { title: X } }
  - { apiVersion: library.example.com/v1, kind: Book, metadata: { name: x2, labels: { x: '1' } }, spec: { title: X } }
`;
const EDITOR = `#!/bin/sh
sed -i 's/title: Title 3$/title: Edited/' "$1"
`;

/** Every everyday command in order, with what it prints: a text that is in its output, or a pattern of the whole. */
const STEPS: readonly (readonly [command: string, output: string | RegExp])[] = [
  ['get books --chunk-size=500 -o name', /^(book\.library\.example\.com\/book-\d+\n){10000}$/],
  ['get books book-1 book-2', /^NAME +TITLE +PAGES\nbook-1 +Title 1 +2\nbook-2 +Title 2 +3\n$/],
  ['get book book-1 -o wide', 'book-1   Title 1   2'],
  ['get book book-1 -o yaml', 'spec:\n  pages: 2\n  title: Title 1\n'],
  ['get book book-1 -o jsonpath={.spec.pages}', /^2$/],
  ['get books --field-selector metadata.name=book-77', 'book-77   Title 77   78'],
  ['get books --field-selector spec.title=x', 'field label not supported: spec.title'],
  ['get books --sort-by=.spec.pages -o name', /^book\S+\/book-0\nbook\S+\/book-1\n/],
  ['describe book book-1', 'Title:  Title 1'],
  ['explain book.spec.pages', 'FIELD: pages <integer>'],
  ['api-resources --api-group library.example.com', /books +library\.example\.com\/v1 +false +Book/],
  ['auth can-i delete books', 'yes'],
  ['create -f new.yaml', 'book.library.example.com/new created'],
  ['create -f new.yaml', 'books.library.example.com "new" already exists'],
  ['diff -f changed.yaml', '+  title: Newer'],
  ['apply -f changed.yaml', 'book.library.example.com/new configured'],
  ['apply -f changed.yaml', 'book.library.example.com/new unchanged'],
  [
    'apply --server-side --field-manager anna -f changed.yaml',
    'book.library.example.com/new serverside-applied',
  ],
  ['apply --server-side --field-manager ben -f new.yaml', 'conflict with'],
  ['apply --server-side --field-manager ben --force-conflicts -f new.yaml', 'serverside-applied'],
  ['wait --for=jsonpath={.spec.title}=New book/new --timeout=10s', 'condition met'],
  ['patch book new --type merge -p {"spec":{"pages":4}}', 'patched'],
  ['patch book new --type json -p [{"op":"replace","path":"/spec/pages","value":5}]', 'patched'],
  ['patch book new -p {"spec":{"pages":6}}', 'strategic-merge-patch+json is not supported'],
  ['patch book new --type merge -p {"spec":{"pages":0}}', 'should be greater than or equal to 1'],
  ['get book new -o jsonpath={.spec.pages}', /^5$/],
  ['label book new shelf=b --overwrite', 'labeled'],
  ['annotate book new note=x', 'annotated'],
  ['get books -l shelf=b --show-labels', /^NAME.*LABELS\nnew +New +5 +shelf=b\n$/],
  ['edit book book-3', 'book.library.example.com/book-3 edited'],
  ['get book book-3 -o jsonpath={.spec.title}', /^Edited$/],
  ['replace -f new.yaml', 'book.library.example.com/new replaced'],
  ['scale book new --replicas 2', 'books.library.example.com "new" not found'],
  ['delete book new --dry-run=server', 'deleted (server dry run)'],
  ['delete -f new.yaml', 'book.library.example.com "new" deleted'],
  ['get book new', 'books.library.example.com "new" not found'],
  ['apply -f list.yaml', 'book.library.example.com/x2 created'],
  ['delete books -l x=1', 'book.library.example.com "x2" deleted'],
  ['patch book book-5 --type merge -p {"metadata":{"finalizers":["example.com/hold"]}}', 'patched'],
  ['delete book book-5 --wait=false', 'deleted'],
  ['get book book-5 -o jsonpath={.metadata.deletionTimestamp}', /^\d{4}-/],
  ['patch book book-5 --type json -p [{"op":"remove","path":"/metadata/finalizers"}]', 'patched'],
  ['get book book-5', 'books.library.example.com "book-5" not found'],
];

describe.runIf(hasKubectl)('kubectl', () => {
  const database = new Database(':memory:');
  let folder: string;
  let server: ApiServer;
  let listener: Awaited<ReturnType<typeof listen>>;

  beforeAll(async () => {
    database.exec('CREATE TABLE books (isbn TEXT PRIMARY KEY, title TEXT, pages INTEGER, meta TEXT)');
    const insert = database.prepare('INSERT INTO books VALUES (?, ?, ?, NULL)');
    for (let i = 0; i < 10_000; i++) insert.run(`book-${i}`, `Title ${i}`, i + 1);
    server = createApiServer({ vocabulary: kubernetesVocabulary, resources: [await defineBooks(database)] });
    await server.ready;
    listener = await listen(server.handler, { port: 0 });
    folder = await mkdtemp(join(tmpdir(), 'own-table-'));
    for (const [name, text] of Object.entries({
      'new.yaml': NEW,
      'changed.yaml': CHANGED,
      'list.yaml': LIST,
    }))
      await writeFile(join(folder, name), text);
    await writeFile(join(folder, 'editor'), EDITOR, { mode: 0o755 });
  });
  afterAll(async () => {
    await listener.close();
    await server.close();
    await rm(folder, { recursive: true });
  });

  function start(command: string) {
    const words = ['--server', listener.url, ...command.split(' ')];
    const env = { ...process.env, HOME: folder, KUBECONFIG: '', EDITOR: join(folder, 'editor') };
    return spawn('kubectl', words, { cwd: folder, env });
  }

  /** What a command prints, errors included. */
  function run(command: string): Promise<string> {
    const child = start(command);
    let output = '';
    const add = (bytes: Uint8Array): void => {
      output += Buffer.from(bytes).toString();
    };
    child.stdout.on('data', add);
    child.stderr.on('data', add);
    return new Promise((resolve) => child.on('close', () => resolve(output)));
  }

  test.each(STEPS)('%s', async (command, expected) => {
    const output = await run(command);
    if (typeof expected === 'string') expect(output).toContain(expected);
    else expect(output).toMatch(expected);
  });

  test('get --watch prints what changes', async () => {
    await run('label book book-9 watched=yes');
    const child = start('get books -l watched --watch --output-watch-events --no-headers');
    let text = '';
    // a line may come in pieces
    const lines = (): string[] => text.split('\n').slice(0, -1);
    let tell = (): void => {};
    child.stdout.on('data', (bytes: Uint8Array) => {
      text += Buffer.from(bytes).toString();
      tell();
    });
    const printed = (kind: string): Promise<void> =>
      new Promise((resolve) => {
        tell = () => {
          if (lines().some((line) => line.startsWith(kind))) resolve();
        };
        tell();
      });
    await printed('ADDED');
    await run('patch book book-9 --type merge -p {"spec":{"title":"After"}}');
    await run('delete book book-9');
    await printed('DELETED');
    child.kill();
    expect(lines().map((line) => line.split(/\s+/).slice(0, 3))).toEqual([
      ['ADDED', 'book-9', 'Title'],
      ['MODIFIED', 'book-9', 'After'],
      ['DELETED', 'book-9', 'After'],
    ]);
  });
});
