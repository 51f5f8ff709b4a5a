import { workloadResources } from '@ashlar/apis/workloads';
import {
  createBearerAuthenticator,
  createStaticTokens,
  parseTokenFile,
  withAnonymous,
  withAuthenticatedGroup,
} from '@ashlar/authn';
import type { Vocabulary } from '@ashlar/core';
import { listen, nodeAmbient } from '@ashlar/http-node';
import { parseFeatureGates } from '@ashlar/lifecycle';
import { createApiServer } from '@ashlar/server';

/** Who the recorded exchanges know (conformance/trace/README.md). */
const TOKENS = `admin-token,admin,admin-uid,"system:masters"
alice-token,alice,alice-uid,"dev,qa"`;

/** A server of our own packages on a port of this machine, in plain HTTP. */
export interface ServerUnderTest extends AsyncDisposable {
  readonly url: string;
}

/**
 * Starts one in this process, with nothing in it but what every server has.
 * @param gates feature gates that differ from their defaults, as the flag has them
 */
export async function startServerUnderTest(vocabulary: Vocabulary, gates = ''): Promise<ServerUnderTest> {
  const { random } = nodeAmbient(vocabulary);
  const tokens = createBearerAuthenticator(createStaticTokens(parseTokenFile(TOKENS).tokens, random));
  const server = createApiServer({
    vocabulary,
    resources: workloadResources(vocabulary),
    authenticator: withAnonymous(withAuthenticatedGroup(tokens)),
    featureGates: parseFeatureGates(gates),
  });
  await server.ready;
  const listener = await listen(server.handler);
  return {
    url: listener.url,
    async [Symbol.asyncDispose]() {
      await listener.close({ graceMilliseconds: 100 });
      await server.close();
    },
  };
}
