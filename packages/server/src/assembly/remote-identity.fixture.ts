import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { type Certificates, createCertificates } from '../certificates/self-signed-certificates.ts';

/** An HTTPS server of this machine with configurable responses. */
export interface RemoteService extends AsyncDisposable {
  readonly url: string;
  readonly certificates: Certificates;
  /** Requests so far, as `METHOD path`. */
  readonly asked: readonly string[];
}

type Answer = (request: IncomingMessage, body: string, response: ServerResponse) => void;

export interface RemoteServiceOptions {
  /** Default: new ones. */
  readonly certificates?: Certificates;
  /** CA of client certificates, PEM; without it none are requested. */
  readonly clientAuthority?: string;
}

export async function startRemoteService(
  result: Answer,
  { certificates: given, clientAuthority }: RemoteServiceOptions = {},
): Promise<RemoteService> {
  const certificates = given ?? (await createCertificates());
  const asked: string[] = [];
  const server = createServer(
    {
      ...{ key: certificates.key, cert: certificates.certificate },
      ...(clientAuthority !== undefined && { requestCert: true, ca: clientAuthority }),
    },
    (request, response) => {
      asked.push(`${request.method} ${request.url}`);
      let body = '';
      request.setEncoding('utf8').on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => result(request, body, response));
    },
  );
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return {
    url: `https://localhost:${(server.address() as { port: number }).port}`,
    certificates,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An issuer of OpenID Connect with one key at a time. */
export interface RemoteIssuer extends RemoteService {
  /** Signs with a new key from now on. */
  rotate(): void;
  /** A token of these claims besides those that every token has. */
  token(claims?: object): string;
}

type Algorithm = 'ES256' | 'RS256';

export interface RemoteIssuerOptions extends RemoteServiceOptions {
  /** How it signs. Default ES256. */
  readonly algorithm?: Algorithm;
}

export async function startRemoteIssuer({
  algorithm = 'ES256',
  ...options
}: RemoteIssuerOptions = {}): Promise<RemoteIssuer> {
  let key = newKey(1, algorithm);
  let made = 1;
  const service = await startRemoteService((request, _body, response) => {
    const url = `https://${request.headers.host}`;
    const document = request.url?.endsWith('/openid-configuration')
      ? { issuer: url, jwks_uri: `${url}/keys` }
      : { keys: [{ ...key.publicKey.export({ format: 'jwk' }), kid: key.id, use: 'sig' }] };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(document));
  }, options);
  return {
    ...service,
    rotate() {
      key = newKey(++made, algorithm);
    },
    token(claims = {}) {
      const exp = Math.floor(Date.now() / 1000) + 600;
      const payload = { iss: service.url, aud: 'server', sub: 'anna', exp, ...claims };
      const text = [{ alg: algorithm, kid: key.id }, payload]
        .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .join('.');
      return `${text}.${signature(key.privateKey, text)}`;
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

interface IssuerKey {
  readonly id: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

function newKey(number: number, algorithm: Algorithm): IssuerKey {
  const id = `key-${number}`;
  return algorithm === 'ES256'
    ? { id, ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) }
    : { id, ...generateKeyPairSync('rsa', { modulusLength: 2048 }) };
}

function signature(key: KeyObject, text: string): string {
  return sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
}
