import type { RequestCondition, SigningRequest } from '@ashlar/apis';
import { parseCertificate } from '@ashlar/authn';
import { decodeBase64, readPem } from '@ashlar/core';
import { type Controller, type ControllerOptions, controllerOfLoop } from '../loop/controller.ts';
import { deleteWhenOver } from '../loop/delete-when-over.ts';
import { startObjectLoop } from '../loop/object-loop.ts';
import { signingRequests } from './signing-requests.ts';

const HOUR = 3_600_000;
/** How long decided and undecided requests are retained, in milliseconds. */
const DECIDED = HOUR;
const PENDING = 24 * HOUR;

/**
 * Deletes obsolete certificate signing requests: an hour after they were denied, failed or issued, when their
 * certificate has expired, and a day after creation without a decision.
 * @example
 * const controller = createRequestCleaner({ client, ambient });
 * controller.start();
 */
export function createRequestCleaner({ client, ambient, onError }: ControllerOptions): Controller {
  const { vocabulary, clock } = ambient;
  const requests = signingRequests(client, vocabulary);
  return controllerOfLoop(() =>
    startObjectLoop({
      ...{ ambient, onError, resource: requests },
      work: (request) => deleteWhenOver(request, endOf(request), { resource: requests, clock }),
    }),
  );
}

/** Returns when a request can be deleted, in milliseconds since 1970; never while it waits for its signer. */
function endOf({ metadata, status = {} }: SigningRequest): number {
  const { conditions = [], certificate } = status;
  if (conditions.length === 0) return timeOf(metadata.creationTimestamp) + PENDING;
  return Math.min(
    Number.POSITIVE_INFINITY,
    ...conditions.flatMap((condition) => endsBy(condition, certificate)),
  );
}

function endsBy(
  { type, lastUpdateTime }: RequestCondition,
  certificate: string | undefined,
): readonly number[] {
  if (type === 'Denied' || type === 'Failed') return [timeOf(lastUpdateTime) + DECIDED];
  if (type !== 'Approved' || !certificate) return [];
  return [timeOf(lastUpdateTime) + DECIDED, expiryOf(certificate)];
}

/** An absent time is never reached. */
const timeOf = (text: string | null | undefined): number =>
  text ? Date.parse(text) : Number.POSITIVE_INFINITY;

/**
 * When the first certificate of a PEM text in base64 expires, in milliseconds since 1970; never if it is
 * invalid.
 */
function expiryOf(certificate: string): number {
  try {
    const [block] = readPem(new TextDecoder().decode(decodeBase64(certificate)));
    return parseCertificate(block?.bytes ?? new Uint8Array()).notAfter;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
