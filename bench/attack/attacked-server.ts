import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Caller, ServerKind, Target, Usage } from './attack.ts';
import { whenAwakeFor } from './awake-time.ts';
import { exchange, openSocket, requestBytes } from './raw-request.ts';

const here = (path: string): string => join(import.meta.dirname, path);
/** Timeout of the measuring part of the server; longer means that one request blocks it. */
const DEAF_MILLISECONDS = 20_000;

/** The namespace in which the tenant may write. */
const TENANT_NAMESPACE = 'tenant';

/** A server in a process and a folder of its own, as built for users, measured from inside. */
export class AttackedServer implements Target, AsyncDisposable {
  readonly kind: ServerKind;
  readonly folder: string;
  port = 0;
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  readonly #tokens = new Map<Caller, string>();
  #log = '';
  #output = '';
  #questions = 0;
  readonly #waiting = new Map<number, (answer: Record<string, number>) => void>();

  private constructor(kind: ServerKind, flags: readonly string[]) {
    this.kind = kind;
    this.folder = mkdtempSync(join(tmpdir(), 'attacked-'));
    const node = ['--expose-gc', '--import', here('measured-process.mjs')];
    const command =
      kind === 'quick-start' ? [here('quick-start.mjs')] : [here('../../packages/server/bin/ashlar.mjs')];
    const words =
      kind === 'quick-start'
        ? []
        : ['serve', ...GUARDED, ...(flags.includes('--storage') ? [] : ['--storage', 'memory']), ...flags];
    this.#child = spawn(process.execPath, [...node, ...command, ...words], {
      cwd: this.folder,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#child.stdout?.on('data', (data: Buffer) => {
      this.#output += data;
    });
    this.#child.stderr?.on('data', (data: Buffer) => {
      this.#log += data;
    });
    this.#child.on('message', (answer: Record<string, number>) => {
      this.#waiting.get(answer.id ?? 0)?.(answer);
      this.#waiting.delete(answer.id ?? 0);
    });
    this.#ended = new Promise((resolve) => this.#child.once('exit', (code) => resolve(code)));
  }

  /** @throws Error with its output if it does not start serving */
  static async start(kind: ServerKind, flags: readonly string[] = []): Promise<AttackedServer> {
    const server = new AttackedServer(kind, flags);
    await server.#serving();
    if (kind === 'guarded') await server.#admitCallers();
    return server;
  }

  async #serving(): Promise<void> {
    const url = /https?:\/\/127\.0\.0\.1:(\d+)/;
    while (!url.test(this.#output)) {
      const pause = new Promise((resolve) => setTimeout(resolve, 20, 'not yet'));
      const ended = await Promise.race([this.#ended, pause]);
      if (ended !== 'not yet') throw new Error(`the server ended with ${ended}: ${this.#log}`);
    }
    this.port = Number(url.exec(this.#output)?.[1]);
  }

  /**
   * The callers are the server's generated administrator, and two service accounts, one of which owns a
   * namespace.
   */
  async #admitCallers(): Promise<void> {
    this.#tokens.set('operator', readFileSync(join(this.folder, '.ashlar/admin.token'), 'utf8').trim());
    await this.create('/api/v1/namespaces', { metadata: { name: TENANT_NAMESPACE } });
    for (const name of ['user', 'tenant'] as const) {
      const accounts = `/api/v1/namespaces/${TENANT_NAMESPACE}/serviceaccounts`;
      await this.create(accounts, { metadata: { name } });
      const { status } = await this.create(`${accounts}/${name}/token`, { spec: {} });
      this.#tokens.set(name, status?.token ?? '');
    }
    await this.create(`/apis/rbac.authorization.k8s.io/v1/namespaces/${TENANT_NAMESPACE}/rolebindings`, {
      metadata: { name: 'tenant' },
      subjects: [{ kind: 'ServiceAccount', name: 'tenant', namespace: TENANT_NAMESPACE }],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    });
  }

  /** Creates an object as the operator. @throws Error if it is rejected */
  async create(path: string, object: unknown): Promise<{ status?: { token?: string } }> {
    const { status, body } = await this.send({
      method: 'POST',
      path,
      headers: [this.credentials('operator'), 'Content-Type: application/json'],
      body: JSON.stringify(object),
    });
    if (status !== 201) throw new Error(`POST ${path}: ${status} ${body.slice(0, 1000)}`);
    return JSON.parse(body) as { status?: { token?: string } };
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  credentials(caller: Caller): string {
    return caller === 'stranger' || this.kind === 'quick-start'
      ? 'X-Nobody: 1'
      : `Authorization: Bearer ${this.#tokens.get(caller)}`;
  }

  async send(request: Parameters<Target['send']>[0]): ReturnType<Target['send']> {
    const socket = await openSocket(this.port, this.kind === 'guarded');
    try {
      return await exchange(socket, requestBytes(request), request.patience, request.responses);
    } finally {
      socket.destroy();
    }
  }

  readonly measure: Target['measure'] = {
    begin: async () => void (await this.#sendCommand('begin')),
    restart: async () => void (await this.#sendCommand('restart')),
    end: async () => (await this.#sendCommand('end')) as unknown as Usage,
    heapAfterCollection: async () => (await this.#sendCommand('collect')).keptMegabytes ?? 0,
  };

  #sendCommand(command: string): Promise<Record<string, number>> {
    const id = ++this.#questions;
    return new Promise((resolve, reject) => {
      const hear = whenAwakeFor(DEAF_MILLISECONDS, () =>
        reject(new Error('the server hears nothing any more')),
      );
      this.#waiting.set(id, (answer) => {
        hear();
        resolve(answer);
      });
      this.#child.send({ id, command }, (error) => {
        if (error) reject(error);
      });
      this.#ended.then((code) =>
        reject(new Error(`the server ended with ${code}: ${this.#log.slice(-2000)}`)),
      );
    });
  }

  log(): string {
    return this.#log;
  }

  async end(signal: NodeJS.Signals, milliseconds: number): Promise<number | null | undefined> {
    this.#child.kill(signal);
    let cancel = (): void => {};
    const late = new Promise<undefined>((resolve) => {
      cancel = whenAwakeFor(milliseconds, () => resolve(undefined));
    });
    const code = await Promise.race([this.#ended, late]);
    cancel();
    return code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill('SIGKILL');
      await this.#ended;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const GUARDED = [
  ...['--vocabulary', 'kubernetes', '--secure-port', '0'],
  ...['--feature-gates', 'CBORServingAndStorage=true,MutatingAdmissionPolicy=true'],
  ...['--runtime-config', 'admissionregistration.k8s.io/v1alpha1=true'],
  ...['--authorization-mode', 'RBAC', '--anonymous-auth=true'],
];
