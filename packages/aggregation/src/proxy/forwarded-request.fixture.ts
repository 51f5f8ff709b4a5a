import { type HeaderLine, orchVocabulary, type ServerRequest, type UserInfo } from '@ashlar/core';
import type { ForwardedRequest } from '@ashlar/http';
import type { ForwardingRules } from './forwarded-headers.ts';

export const rules: ForwardingRules = { vocabulary: orchVocabulary, identityHeaders: ['x-alternative-user'] };

/** A request of `anna`, as a server passes it on. */
export function forwardedRequest(
  headers: readonly HeaderLine[] = [],
  changes: Partial<Omit<ForwardedRequest, 'request'>> & {
    readonly request?: Partial<ServerRequest>;
    readonly parameters?: readonly HeaderLine[];
  } = {},
): ForwardedRequest {
  const { request, parameters = [], ...rest } = changes;
  const user: UserInfo = { name: 'anna', groups: ['dev'] };
  const signal = new AbortController().signal;
  return {
    request: {
      method: 'GET',
      url: '/apis/example.com/v1',
      headers: {
        get: (name) => headers.find(([each]) => each === name)?.[1],
        all: (name) => headers.filter(([each]) => each === name).map(([, value]) => value),
        entries: () => headers,
      },
      connection: { encrypted: true, remoteAddress: '::ffff:10.0.0.9' },
      signal,
      body: async () => new Uint8Array(0),
      ...request,
    },
    ...{ user, auditId: 'id', path: '/apis/example.com/v1', signal, timeLimit: 1_000 },
    query: { sorted: () => parameters } as unknown as ForwardedRequest['query'],
    ...rest,
  };
}
