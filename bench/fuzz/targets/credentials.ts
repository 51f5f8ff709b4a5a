import {
  createWebSocketAuthenticator,
  parseBearerToken,
  parseCertificate,
  parseTokenFile,
  readImpersonation,
  type TokenAuthenticator,
} from '@ashlar/authn';
import {
  kubernetesVocabulary,
  type RequestHeaders,
  readDer,
  readPem,
  type ServerRequest,
  tokenProtocolPrefix,
} from '@ashlar/core';
import { readToken } from '../../../packages/authn/src/tokens/signed-claims.ts';
import { type Target, textTarget } from '../target.ts';

const noAuthenticator: TokenAuthenticator = { authenticateToken: () => ({ outcome: 'none' }) };
const sockets = createWebSocketAuthenticator(noAuthenticator, kubernetesVocabulary);
const PREFIX = tokenProtocolPrefix(kubernetesVocabulary);
const caller = { name: 'somebody', groups: ['system:authenticated'] };
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Header lines of a text, as a listener passes them. */
function headersOf(text: string): RequestHeaders {
  const lines = text.split('\n').map((line): [string, string] => {
    const colon = line.indexOf(':');
    return colon < 0 ? [line.toLowerCase(), ''] : [line.slice(0, colon).toLowerCase(), line.slice(colon + 1)];
  });
  return {
    get: (name) => lines.find(([key]) => key === name)?.[1],
    all: (name) => lines.filter(([key]) => key === name).map(([, value]) => value),
    entries: () => lines,
  };
}

/** A certificate signing request, short but complete in its outer structure. */
const DER = Uint8Array.of(0x30, 0x0c, 0x31, 0x0a, 0x30, 0x08, 0x06, 0x03, 0x55, 0x04, 0x03, 0x0c, 0x01, 0x61);
const PEM = `-----BEGIN CERTIFICATE REQUEST-----\n${Buffer.from(DER).toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;

/** Identities that callers claim. */
export const credentialTargets: readonly Target[] = [
  textTarget({
    name: 'bearer-token',
    encoding: 'latin1',
    seeds: ['Bearer abc', 'bearer  a', 'Bearer a b', ' Bearer a ', 'Basic a'],
    words: ['Bearer ', ' ', '\t', '\x85', '\xa0', '.'],
    refusals: [],
    read: parseBearerToken,
  }),
  textTarget({
    name: 'impersonation',
    encoding: 'latin1',
    seeds: [
      'impersonate-user:a\nimpersonate-group:b\nimpersonate-extra-c%2fd:e\nimpersonate-uid:f',
      'impersonate-user:system:serviceaccount:a:b',
    ],
    words: [
      '\nimpersonate-group:',
      '\nimpersonate-extra-',
      'impersonate-user:',
      '%2f',
      '%',
      '__proto__',
      ':',
      '\xc3\xa9',
      '\xff',
    ],
    refusals: ['ImpersonationWithoutUserError'],
    read: (text) => readImpersonation(headersOf(text), caller, kubernetesVocabulary),
  }),
  textTarget({
    name: 'web-socket-token',
    encoding: 'latin1',
    seeds: [`v4.channel.k8s.io,${PREFIX}YWJj`, `${PREFIX}YWJj,${PREFIX}ZA`, 'a, b , c'],
    words: [PREFIX, ',', ' ', '=', '-', '_', '\xff'],
    refusals: [],
    read: (text) =>
      sockets.authenticate({ webSocket: { protocols: text.split(',') } } as unknown as ServerRequest),
  }),
  textTarget({
    name: 'jwt',
    seeds: [
      `${part({ alg: 'ES256', kid: 'a' })}.${part({ iss: 'https://a', sub: 'b', aud: ['c'], exp: 1 })}.AAAA`,
      'e30.e30.AA',
    ],
    words: ['.', 'e30', '=', 'W10', 'bnVsbA', '_', '-'],
    refusals: [],
    read: readToken,
  }),
  textTarget({
    name: 'pem',
    seeds: [
      PEM,
      `a\n${PEM}b\n${PEM}`,
      PEM.replaceAll('\n', '\r\n'),
      PEM.replace('\n', '\nProc-Type: 4,ENCRYPTED\n\n'),
    ],
    words: ['-----BEGIN ', '-----END ', '-----', '\n', '\r\n', '-----BEGIN X-----', ': ', '=', ' ', '\t'],
    refusals: ['ParseError'],
    read: (text) => readPem(text).map(({ bytes }) => bytes.length),
  }),
  {
    name: 'der',
    seeds: [DER, Uint8Array.of(0x30, 0x81, 0x03, 0x02, 0x01, 0x05), Uint8Array.of(0xbf, 0x81, 0x01, 0x00)],
    words: ['\x30\x80', '\x00\x00', '\x30\x00', '\x02\x01', '\x06\x03', '\x31', '\x82'],
    refusals: ['ParseError', 'Error', 'TypeError', 'RangeError'],
    run(input) {
      readDer(input);
      return parseCertificate(input);
    },
  },
  textTarget({
    name: 'token-file',
    seeds: ['token,user,uid,"group,group"\n', '# a\na,b,c\n"a""b",c,d\n'],
    words: [',', '"', '""', '\n', '\r\n', '#'],
    // a file of the operator, with its path
    refusals: ['SeparatedValuesError', 'Error'],
    read: parseTokenFile,
  }),
];
