import { readBootstrapSecret } from '@ashlar/authn';
import type { ResourceClient, WorkResult } from '@ashlar/client';
import type { Ambient, ApiObject } from '@ashlar/core';
import { type Controller, type ControllerOptions, controllerOf } from '../controller.ts';
import { startObjectLoop } from '../object-loop.ts';
import { bootstrapSecrets, ofBootstrapTokens } from './bootstrap-secrets.ts';

/**
 * Deletes the secrets of bootstrap tokens when they expire; those whose time cannot be read are over at once (specification 2,
 * "Bootstrap tokens").
 * @example
 * const controller = createTokenCleaner({ client, ambient });
 * controller.start();
 */
export function createTokenCleaner({ client, ambient, onError }: ControllerOptions): Controller {
  const secrets = bootstrapSecrets(client, ambient.vocabulary);
  return controllerOf(() =>
    startObjectLoop({
      ...{ ambient, onError, resource: secrets },
      selection: ofBootstrapTokens(ambient.vocabulary),
      work: (secret) => clean(secret, secrets, ambient),
    }),
  );
}

async function clean(
  secret: ApiObject,
  secrets: ResourceClient,
  { vocabulary, clock }: Ambient,
): Promise<WorkResult | undefined> {
  const { ends = Number.POSITIVE_INFINITY } = readBootstrapSecret(secret, vocabulary) ?? {};
  if (ends === Number.POSITIVE_INFINITY) return undefined;
  const rest = ends - clock.now();
  if (rest > 0) return { againAfterMilliseconds: rest };
  const { name = '', uid, resourceVersion } = secret.metadata;
  // one that was given more time meanwhile stays
  await secrets.delete(name, {
    preconditions: { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) },
  });
  return undefined;
}
