import { workloadResources } from '@ashlar/apis/workloads';
import {
  createBearerAuthenticator,
  createStaticTokens,
  createUnionTokens,
  parseTokenFile,
  withAnonymous,
  withAuthenticatedGroup,
  withServerAudiences,
} from '@ashlar/authn';
import { createUnionAuthorizer, withPrivilegedGroup } from '@ashlar/authz';
import type { Vocabulary } from '@ashlar/core';
import { listen, nodeAmbient } from '@ashlar/http-node';
import { parseFeatureGates } from '@ashlar/lifecycle';
import { createApiServer, generateServiceAccountKey } from '@ashlar/server';

/** Who the recorded exchanges know (conformance/trace/README.md). */
const TOKENS = `admin-token,admin,admin-uid,"system:masters"
alice-token,alice,alice-uid,"dev,qa"`;

/** A server of our own packages on a port of this machine, in plain HTTP. */
export interface ServerUnderTest extends AsyncDisposable {
  readonly url: string;
}

/**
 * Starts one in this process as the reference was started for the recordings: roles decide, tokens of service accounts are issued.
 * @param gates feature gates that differ from their defaults, as the flag has them
 * @param nodes whether nodes have rights of their own, and are kept to them
 */
export async function startServerUnderTest(
  vocabulary: Vocabulary,
  gates = '',
  nodes = false,
): Promise<ServerUnderTest> {
  const { random } = nodeAmbient(vocabulary);
  const { tokens } = parseTokenFile(TOKENS);
  const server = createApiServer({
    vocabulary,
    resources: workloadResources(vocabulary),
    serviceAccounts: {
      issuers: ['https://reference.local'],
      signingKey: generateServiceAccountKey().key,
    },
    authenticator({ serviceAccounts, bootstrap, apiAudiences }) {
      const known = [createStaticTokens(tokens, random), bootstrap].map((each) =>
        withServerAudiences(each, apiAudiences),
      );
      const bearer = createBearerAuthenticator(createUnionTokens([...known, serviceAccounts]));
      return withAnonymous(withAuthenticatedGroup(bearer));
    },
    authorizer: ({ node, rbac }) => withPrivilegedGroup(nodes ? createUnionAuthorizer([node, rbac]) : rbac),
    nodeRestriction: nodes,
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
