import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNodeTransport, type NodeTransport } from '@ashlar/http-node';
import {
  type Certificates,
  createCertificates,
} from '../../../packages/server/src/certificates/self-signed-certificates.ts';
import { runCommand } from '../../../packages/server/src/command/command.ts';
import type { IssuedCertificate } from './certificate-authority.fixture.ts';

/** Credentials of a caller. */
export interface Caller {
  readonly token?: string;
  readonly certificate?: IssuedCertificate;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body read as JSON; a test that reads a member which is not there fails. */
  // biome-ignore lint/suspicious/noExplicitAny: responses of many kinds
  readonly body: any;
}

/** The administrator of every served command. */
export const ROOT: Caller = { token: 'root-token' };

let own: Promise<Certificates> | undefined;

/** `ashlar serve` with flags, in this process: over TLS, with in-memory storage and an administrator. */
export class ServedCommand implements AsyncDisposable {
  readonly #stop = new AbortController();
  readonly #folder: string = mkdtempSync(join(tmpdir(), 'served-'));
  readonly #transport: NodeTransport = createNodeTransport();
  readonly #groupDomain: string;
  #certificates: Certificates | undefined;
  #ended: Promise<number> | undefined;
  #stdout = '';
  /** Its stderr. */
  stderr = '';

  constructor(groupDomain: string) {
    this.#groupDomain = groupDomain;
  }

  /** Starts serving. @throws Error with its output if it exits */
  async start(words: readonly string[]): Promise<this> {
    own ??= createCertificates();
    this.#certificates = await own;
    let received = (): void => {};
    const greeted = new Promise<void>((resolve) => {
      received = resolve;
    });
    this.#ended = runCommand(['serve', ...this.#usual(this.#certificates), ...words], {
      stdout: (text) => {
        this.#stdout += text;
        received();
      },
      stderr: (text) => {
        this.stderr += text;
      },
      signal: this.#stop.signal,
    });
    await Promise.race([greeted, this.#ended]);
    if (this.#stdout !== '') return this;
    const status = await this.#ended;
    await this[Symbol.asyncDispose]();
    throw new Error(`status ${status}: ${this.stderr}`);
  }

  get url(): string {
    return /https:\S+/.exec(this.#stdout)?.[0] ?? '';
  }

  /** The private key of its certificate, PEM. */
  get tlsKey(): string {
    return this.#certificates?.key ?? '';
  }

  async request(method: string, path: string, caller: Caller = {}, body?: object): Promise<Reply> {
    const { token, certificate, headers = {} } = caller;
    const response = await this.#transport.request(this.url + path, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      tls: { certificateAuthorities: this.#certificates?.certificateAuthority ?? '', ...certificate },
      ...(body && { body: new TextEncoder().encode(JSON.stringify(body)) }),
    });
    const text = new TextDecoder().decode(await response.body());
    return {
      status: response.status,
      headers: response.headers,
      text,
      get body() {
        return JSON.parse(text);
      },
    };
  }

  get(path: string, caller?: Caller): Promise<Reply> {
    return this.request('GET', path, caller);
  }

  /** Creates an object as the administrator. @throws Error if it is rejected */
  async make(path: string, body: object): Promise<Reply> {
    const reply = await this.request('POST', path, ROOT, body);
    if (reply.status !== 201) throw new Error(reply.text);
    return reply;
  }

  /** The user that the server returns for a caller; the status of an error response. */
  async who(caller?: Caller): Promise<unknown> {
    const path = `/apis/authentication.${this.#groupDomain}/v1/selfsubjectreviews`;
    const { status, body } = await this.request('POST', path, caller, {});
    return status === 201 ? body.status.userInfo : status;
  }

  /** Writes a file that is removed with the command. */
  file(name: string, content: string): string {
    const path = join(this.#folder, name);
    writeFileSync(path, content);
    return path;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#transport.close();
    this.#stop.abort();
    await this.#ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Flags that tests can override. */
  #usual({ certificate, key }: Certificates): readonly string[] {
    return [
      ...['--secure-port=0', '--storage=memory'],
      ...['--tls-cert-file', this.file('tls.crt', certificate)],
      ...['--tls-private-key-file', this.file('tls.key', key)],
      ...['--token-auth-file', this.file('tokens.csv', 'root-token,root,1,system:masters\n')],
    ];
  }
}
