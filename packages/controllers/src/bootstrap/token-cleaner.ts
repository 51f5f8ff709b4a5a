import { readBootstrapSecret } from '@ashlar/authn';
import type { ApiObject, Vocabulary } from '@ashlar/core';
import { type Controller, type ControllerOptions, controllerOfLoop } from '../loop/controller.ts';
import { deleteWhenOver } from '../loop/delete-when-over.ts';
import { startObjectLoop } from '../loop/object-loop.ts';
import { bootstrapSecrets, ofBootstrapTokens } from './bootstrap-secrets.ts';

/**
 * Deletes the secrets of bootstrap tokens when they expire; those with an invalid expiration immediately
 * (semantics/access#authentication).
 * @example
 * const controller = createTokenCleaner({ client, ambient });
 * controller.start();
 */
export function createTokenCleaner({ client, ambient, onError }: ControllerOptions): Controller {
  const { vocabulary, clock } = ambient;
  const secrets = bootstrapSecrets(client, vocabulary);
  return controllerOfLoop(() =>
    startObjectLoop({
      ...{ ambient, onError, resource: secrets },
      selection: ofBootstrapTokens(vocabulary),
      work: (secret) => deleteWhenOver(secret, endOf(secret, vocabulary), { resource: secrets, clock }),
    }),
  );
}

/** Returns when a token expires, in milliseconds since 1970; never for other secrets and tokens without expiration. */
function endOf(secret: ApiObject, vocabulary: Vocabulary): number {
  return readBootstrapSecret(secret, vocabulary)?.ends ?? Number.POSITIVE_INFINITY;
}
