import { workloadResources } from '@ashlar/apis/workloads';
import {
  createBearerAuthenticator,
  createStaticTokens,
  withAnonymous,
  withAuthenticatedGroup,
} from '@ashlar/authn';
import { orchVocabulary, type Transport } from '@ashlar/core';
import { createSteppedClock, type SteppedClock } from '@ashlar/core/testing';
import { createNodeTransport, nodeAmbient } from '@ashlar/http-node';
import type { ApiServer } from '../../../packages/server/src/assembly/api-server.ts';
import { createApiServer } from '../../../packages/server/src/assembly/create-api-server.ts';
import type { ServeFlags } from '../../../packages/server/src/command/flags/serve-flags.ts';
import { createServeAuthorization } from '../../../packages/server/src/command/serve/serve-authorization.ts';

/** A server with authorization flags, and users whose tokens are their names. */
export interface FlaggedServer extends AsyncDisposable {
  readonly api: ApiServer;
  /** Clock of file watches and caches. */
  readonly clock: SteppedClock;
  /** The status of a response to a user. */
  status(user: string, path: string): Promise<number>;
}

const USERS = [
  { name: 'root', groups: ['system:masters'] },
  { name: 'al', groups: ['dev'] },
  { name: 'system:node:n', groups: ['system:nodes'] },
];

export async function serveFlags(
  flags: ServeFlags,
  transport: Transport = createNodeTransport(),
): Promise<FlaggedServer> {
  const clock = createSteppedClock();
  const ambient = { ...nodeAmbient(orchVocabulary), clock };
  const authorization = createServeAuthorization(flags, { ambient, transport, report: () => {} });
  const tokens = createStaticTokens(
    USERS.map((user) => ({ token: user.name, user })),
    ambient.random,
  );
  const api = createApiServer({
    authenticator: () => withAnonymous(withAuthenticatedGroup(createBearerAuthenticator(tokens))),
    authorizer: authorization.authorizer,
    controllers: false,
    resources: workloadResources(orchVocabulary),
  });
  await api.ready;
  authorization.follow(api.metrics);
  return {
    api,
    clock,
    async status(user, path) {
      const headers = { authorization: `Bearer ${user}` };
      return (await api.fetch(new Request(`http://server${path}`, { headers }))).status;
    },
    async [Symbol.asyncDispose]() {
      authorization[Symbol.dispose]();
      await api.close();
    },
  };
}
