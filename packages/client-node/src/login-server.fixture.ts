import { X509Certificate } from 'node:crypto';
import { StatusError } from '@ashlar/core';
import { listen } from '@ashlar/http-node';
import * as certificates from '../../http-node/src/listener/certificates.fixture.ts';

/** Credentials of each request, and the number of its connection. */
interface Caller {
  readonly authorization: string | undefined;
  readonly certificate: string | undefined;
  readonly connection: number;
}

/** A TLS server that records its callers. `/watch` never ends. */
export interface LoginServer extends AsyncDisposable {
  readonly callers: Caller[];
  readonly url: string;
  /** The `cluster` of a configuration. */
  readonly cluster: object;
  /** Accepted authorizations; initially all. */
  accept: (caller: Caller) => boolean;
}

export async function startLoginServer(): Promise<LoginServer> {
  const connections: object[] = [];
  const listener = await listen(
    async ({ url, headers, connection }) => {
      if (!connections.includes(connection)) connections.push(connection);
      const [der] = connection.clientCertificates ?? [];
      const caller = {
        authorization: headers.get('authorization'),
        certificate: der && new X509Certificate(der).subject.split('\n').at(-1),
        connection: connections.indexOf(connection),
      };
      server.callers.push(caller);
      if (!server.accept(caller)) return refusal;
      const body = Buffer.from('{}');
      return { status: 200, headers: {}, body: url === '/watch' ? (sink) => void sink.write(body) : body };
    },
    { tls: { ...certificates.server, clientCertificateAuthorities: certificates.authority } },
  );
  const server: LoginServer = {
    callers: [],
    url: listener.url,
    accept: () => true,
    cluster: {
      server: listener.url,
      'certificate-authority-data': Buffer.from(certificates.authority).toString('base64'),
    },
    [Symbol.asyncDispose]: () => listener.close({ graceMilliseconds: 0 }),
  };
  return server;
}

const refusal = {
  status: 401,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(
    JSON.stringify(new StatusError({ code: 401, reason: 'Unauthorized', message: 'no' }).status),
  ),
};
