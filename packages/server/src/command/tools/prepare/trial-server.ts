import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kubernetesVocabulary, type TransportResponse } from '@ashlar/core';
import { createNodeTransport, type NodeTransport } from '@ashlar/http-node';
import { createServingCertificate } from '../../../certificates/serving-certificate.ts';
import { parseFlags } from '../../flags/flags.ts';
import { serveFlags } from '../../flags/serve-flags.ts';
import { serve } from '../../serve/serve.ts';

/** How a server in a folder of its own proves who it is, and who may use it. */
export interface TrialIdentity {
  readonly certificateAuthority: string;
  readonly tokens: { readonly administrator: string; readonly user: string };
}

/** A request to a server; the media types are those of JSON unless given. */
export interface TrialCall {
  readonly method: string;
  readonly path: string;
  readonly accept?: string;
  readonly contentType?: string;
  readonly body?: Uint8Array | string | object;
  /** Default: the administrator. */
  readonly as?: keyof TrialIdentity['tokens'];
  /** Whether only the beginning of the response is read: that of a stream. */
  readonly isStream?: boolean;
  /** Whether the answer is an error. */
  readonly isRefused?: boolean;
}

/** Writes certificate, key and tokens into a folder that only this process can read. */
export async function writeTrialIdentity(folder: string): Promise<TrialIdentity> {
  const { certificateAuthority, certificate, key } = await createServingCertificate();
  const tokens = { administrator: randomUUID(), user: randomUUID() };
  writeFileSync(join(folder, 'server.crt'), certificate);
  writeFileSync(join(folder, 'server.key'), key, { mode: 0o600 });
  const rows = `${tokens.administrator},administrator,1,system:masters\n${tokens.user},user,2\n`;
  writeFileSync(join(folder, 'tokens.csv'), rows, { mode: 0o600 });
  return { certificateAuthority, tokens };
}

/** `ashlar serve` in this process, over a database in a folder. */
export class TrialServer implements AsyncDisposable {
  readonly #url: string;
  readonly #transport: NodeTransport;
  readonly #tokens: TrialIdentity['tokens'];
  readonly #stop: () => Promise<void>;

  /** Resolves when the server is ready. @throws Error of a server that cannot start */
  static async start(
    folder: string,
    identity: TrialIdentity,
    stderr: (text: string) => void,
  ): Promise<TrialServer> {
    const stop = new AbortController();
    const flags = parseFlags(serveFlags, flagsIn(folder));
    let served: Promise<void> | undefined;
    const text = await new Promise<string>((resolve, reject) => {
      served = serve(flags, { stdout: resolve, stderr, signal: stop.signal });
      served.then(() => reject(new Error('the server has stopped')), reject);
    });
    return new TrialServer(/https:\S+/.exec(text)?.[0] ?? '', identity, async () => {
      stop.abort();
      await served;
    });
  }

  private constructor(url: string, identity: TrialIdentity, stop: () => Promise<void>) {
    const { certificateAuthority, tokens } = identity;
    this.#url = url;
    this.#transport = createNodeTransport({ tls: { certificateAuthorities: certificateAuthority } });
    this.#tokens = tokens;
    this.#stop = stop;
  }

  /** Sends a request and returns the body of the response, or its beginning. @throws Error for an unexpected status */
  async call(call: TrialCall): Promise<Uint8Array> {
    const stop = new AbortController();
    const response = await this.#send(call, stop.signal);
    if (response.status >= 400 !== (call.isRefused ?? false))
      throw new Error(`the answer to ${call.method} ${call.path} is ${response.status}`);
    if (!call.isStream) return response.body();
    for await (const piece of response.stream()) {
      stop.abort();
      return piece;
    }
    return new Uint8Array();
  }

  #send(
    { method, path, as = 'administrator', ...call }: TrialCall,
    signal: AbortSignal,
  ): Promise<TransportResponse> {
    return this.#transport.request(this.#url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.#tokens[as]}`,
        accept: call.accept ?? 'application/json',
        ...(call.body !== undefined && { 'content-type': call.contentType ?? 'application/json' }),
      },
      ...(call.body !== undefined && { body: bytesOf(call.body) }),
      signal,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#transport.close();
    await this.#stop();
  }
}

function flagsIn(folder: string): readonly string[] {
  const file = (name: string): string => join(folder, name);
  return [
    `--vocabulary=${kubernetesVocabulary.name}`,
    '--secure-port=0',
    '--authorization-mode=Node,RBAC',
    `--storage=sqlite:${file('state.db')}`,
    `--tls-cert-file=${file('server.crt')}`,
    `--tls-private-key-file=${file('server.key')}`,
    `--token-auth-file=${file('tokens.csv')}`,
  ];
}

function bytesOf(body: Uint8Array | string | object): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
}
