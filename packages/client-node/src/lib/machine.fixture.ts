import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { kubernetesVocabulary } from '@ashlar/core';

const V1 = `client.authentication.${kubernetesVocabulary.groupDomain}/v1`;

/** A folder with the files of one machine, and plugins that do as they are told. */
export class Machine implements Disposable {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'machine-'));

  /** Writes a file; gives its path. */
  write(path: string, text: string, mode = 0o600): string {
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode });
    return file;
  }

  /** A credential plugin, a process of its own that notes what it is told and prints an answer. */
  plugin(name: string): Plugin {
    const path = this.write(
      name,
      `#!/bin/sh
printf '%s\\t%s\\t%s\\n' "$KUBERNETES_EXEC_INFO" "$MARK" "$*" >> "$0.runs"
. "$0.does"
`,
      0o700,
    );
    return new Plugin(path);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true });
  }
}

/** What a plugin was told in one run. */
interface Run {
  readonly info: { readonly apiVersion: string; readonly kind: string; readonly spec: object };
  readonly mark: string;
  readonly args: string;
}

class Plugin {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Lines of a shell. */
  does(script: string): void {
    writeFileSync(`${this.path}.does`, script);
  }

  prints(status: object, apiVersion: string = V1): void {
    const answer = JSON.stringify({ apiVersion, kind: 'ExecCredential', status });
    writeFileSync(`${this.path}.answer`, answer);
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

/** An `exec` block of version v1. */
export function execOf(command: string, rest: object = {}): object {
  return { exec: { command, apiVersion: V1, interactiveMode: 'Never', ...rest } };
}
