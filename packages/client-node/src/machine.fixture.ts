import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { groupName, kubernetesVocabulary, type Vocabulary } from '@ashlar/core';

/** A folder with the files of one machine, and configurable plugins. */
export class Machine implements Disposable {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'machine-'));
  readonly #vocabulary: Vocabulary;
  /** Version v1 of the objects of plugins. */
  readonly apiVersion: string;

  constructor(vocabulary: Vocabulary = kubernetesVocabulary) {
    this.#vocabulary = vocabulary;
    this.apiVersion = `${groupName(vocabulary, 'client.authentication.')}/v1`;
  }

  /** Writes a file; returns its path. */
  write(path: string, text: string, mode = 0o600): string {
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode });
    return file;
  }

  /** A credential plugin: a process that records its input and prints a response. */
  plugin(name: string): Plugin {
    const path = this.write(
      name,
      `#!/bin/sh
printf '%s\\t%s\\t%s\\n' "$${this.#vocabulary.execInfoVariable}" "$MARK" "$*" >> "$0.runs"
. "$0.does"
`,
      0o700,
    );
    return new Plugin(path, this.apiVersion);
  }

  /** An `exec` block of version v1. */
  exec(command: string, rest: object = {}): object {
    return { exec: { command, apiVersion: this.apiVersion, interactiveMode: 'Never', ...rest } };
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true });
  }
}

/** The input of a plugin in one run. */
interface Run {
  readonly info: { readonly apiVersion: string; readonly kind: string; readonly spec: object };
  readonly mark: string;
  readonly args: string;
}

class Plugin {
  readonly path: string;
  readonly #apiVersion: string;

  constructor(path: string, apiVersion: string) {
    this.path = path;
    this.#apiVersion = apiVersion;
  }

  /** Lines of a shell script. */
  does(script: string): void {
    writeFileSync(`${this.path}.does`, script);
  }

  prints(status: object, apiVersion: string = this.#apiVersion): void {
    const response = JSON.stringify({ apiVersion, kind: 'ExecCredential', status });
    writeFileSync(`${this.path}.answer`, response);
    this.does(`cat "$0.answer"\n`);
  }

  get runs(): readonly Run[] {
    const file = `${this.path}.runs`;
    const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
    return lines.map((line) => {
      const [info = '', mark = '', args = ''] = line.split('\t');
      return { info: JSON.parse(info), mark, args };
    });
  }
}

/** A configuration of one context. */
export function configurationOf(cluster: object, user: object): string {
  return JSON.stringify({
    clusters: [{ name: 'c', cluster }],
    users: [{ name: 'me', user }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'me' } }],
    'current-context': 'x',
  });
}
