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

/** A server that asks a webhook whose tokens are, and allows everything to whoever is known. */
export interface TokenWebhookServer extends AsyncDisposable {
  readonly server: AccessServer;
  readonly webhook: ReviewWebhook;
  /** Of the webhook's memory. */
  readonly clock: ManualClock;
  /** Why tokens are not known, as the server's log has it. */
  readonly errors: readonly string[];
}

/** @param answer whose tokens are, as the webhook has it */
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
