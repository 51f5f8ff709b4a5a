import {
  createBearerAuthenticator,
  createTokenWebhook,
  type TokenWebhookOptions,
  withAnonymous,
  withAuthenticatedGroup,
} from '@ashlar/authn';
import { alwaysAllow } from '@ashlar/authz';
import type { Vocabulary } from '@ashlar/core';
import { createManualClock, createSeededRandom, createTestServer, type ManualClock } from '@ashlar/testing';
import { type AccessServer, accessOptions, toAccessServer } from './access-server.fixture.ts';
import { type ReviewAnswer, ReviewWebhook } from './webhook.fixture.ts';

/** A server with a token webhook, which allows everything to authenticated users. */
export interface TokenWebhookServer extends AsyncDisposable {
  readonly server: AccessServer;
  readonly webhook: ReviewWebhook;
  /** Clock of the webhook's cache. */
  readonly clock: ManualClock;
  /** Why tokens are rejected, as logged by the server. */
  readonly errors: readonly string[];
}

/** @param answer the user of a token, as the webhook responds */
export async function createTokenWebhookServer(
  vocabulary: Vocabulary,
  answer: ReviewAnswer,
  options: Partial<TokenWebhookOptions> = {},
): Promise<TokenWebhookServer> {
  const webhook = new ReviewWebhook(answer);
  const clock = createManualClock();
  const errors: string[] = [];
  const api = await createTestServer({
    ...accessOptions(vocabulary),
    authorizer: () => alwaysAllow,
    authenticator: ({ apiAudiences }) => {
      const tokens = createTokenWebhook({
        ambient: { clock, random: createSeededRandom(3), vocabulary },
        transport: webhook,
        url: 'https://webhook.example/review',
        apiAudiences,
        onError: ({ message }) => errors.push(message),
        ...options,
      });
      return withAnonymous(withAuthenticatedGroup(createBearerAuthenticator(tokens)));
    },
  });
  return { server: toAccessServer(api), webhook, clock, errors, [Symbol.asyncDispose]: () => api.close() };
}
