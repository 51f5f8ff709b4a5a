import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createNodeTransport } from '@ashlar/http-node';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Resolved from here: processes run in folders of their own. */
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx/esm')).href;

/** Arguments of `node`: the built command if it is as new as the sources, otherwise the sources. */
export const ASHLAR: readonly string[] = process.env.ASHLAR_BUILT
  ? [here('../../bin/ashlar.mjs')]
  : ['--conditions=@ashlar/source', '--import', tsx, here('./ashlar.fixture.ts')];

/** A running `ashlar` and its output. */
export class AshlarProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #ended: Promise<number | null>;
  stdout = '';
  stderr = '';

  /** @param words of the command; a first one that is a `data:` URL is a module loaded before it */
  constructor(folder: string, ...words: readonly string[]) {
    const cwd = folder;
    this.#folder = folder;
    const preloaded = words[0]?.startsWith('data:') ? ['--import', words[0]] : [];
    const given = words.slice(preloaded.length > 0 ? 1 : 0);
    const started = [...preloaded, ...ASHLAR, ...given];
    this.#child = spawn(process.execPath, started, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child.stdout?.on('data', (data: Buffer) => {
      this.stdout += data;
    });
    this.#child.stderr?.on('data', (data: Buffer) => {
      this.stderr += data;
    });
    this.#ended = new Promise((resolve) => this.#child.once('close', (code) => resolve(code)));
  }

  /** Fulfilled when it is ready; rejected with its stderr when it exits. */
  async serving(): Promise<this> {
    while (!this.stdout.includes('stop ')) {
      const ended = await Promise.race([
        this.#ended,
        new Promise((resolve) => setTimeout(resolve, 20, 'not yet')),
      ]);
      if (ended !== 'not yet') throw new Error(`ended with ${ended}: ${this.stderr}`);
    }
    return this;
  }

  /** The exit status; null if a signal ended it. */
  ended(): Promise<number | null> {
    return this.#ended;
  }

  kill(signal: NodeJS.Signals): Promise<number | null> {
    this.#child.kill(signal);
    return this.#ended;
  }

  /** Sends a signal without waiting for the exit. */
  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Fulfilled when stderr matches. */
  async untilOutput(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.stderr)) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  get url(): string {
    return /https:\S+/.exec(this.stdout)?.[0] ?? '';
  }

  file(name: string): string {
    return readFileSync(join(this.#folder, '.ashlar', name), 'utf8');
  }

  /** A request of the administrator. */
  async request(
    method: string,
    path: string,
    {
      body,
      headers = {},
      signal,
    }: { body?: string; headers?: Record<string, string>; signal?: AbortSignal } = {},
  ): Promise<Awaited<ReturnType<ReturnType<typeof createNodeTransport>['request']>>> {
    const transport = createNodeTransport({ tls: { certificateAuthorities: this.file('ca.crt') } });
    const authorization = `Bearer ${this.file('admin.token')}`;
    return transport.request(this.url + path, {
      method,
      headers: { authorization, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: new TextEncoder().encode(body) }),
      ...(signal && { signal }),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await this.kill('SIGKILL');
  }
}
