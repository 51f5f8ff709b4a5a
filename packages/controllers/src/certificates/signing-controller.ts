import type { RequestCondition, SigningRequest } from '@ashlar/apis';
import type { ResourceClient } from '@ashlar/client';
import { decodeBase64, encodeBase64, timestampText } from '@ashlar/core';
import { type Controller, type ControllerOptions, controllerOfLoop } from '../loop/controller.ts';
import { startObjectLoop } from '../loop/object-loop.ts';
import { type CertificateAuthority, signCertificate } from './certificate-authority.ts';
import { readRequestedCertificate } from './requested-certificate.ts';
import { type SignerRule, signerRules } from './signer-rules.ts';
import { hasCondition, signingRequests } from './signing-requests.ts';

export interface CertificateSigningOptions extends ControllerOptions {
  readonly authority: CertificateAuthority;
  /** Maximum validity duration of certificates, and that of requests without a duration; default one year. */
  readonly durationSeconds?: number;
}

const YEAR_SECONDS = 365 * 86_400;
/** Minimum validity duration of certificates. */
const LEAST_SECONDS = 600;

/**
 * Signs approved certificate signing requests of the server's own signers: clients of the server, nodes as
 * clients, and nodes as servers. Requests that a signer rejects get the condition Failed with a message
 * (semantics/access#certificate-signing-requests). Requests for other signers are ignored.
 * @example
 * const controller = createCertificateSigningController({ client, ambient, authority: { certificate, key }
 * });
 * controller.start();
 */
export function createCertificateSigningController(options: CertificateSigningOptions): Controller {
  const { client, ambient, onError } = options;
  const requests = signingRequests(client, ambient.vocabulary);
  const rules = signerRules(ambient.vocabulary);
  return controllerOfLoop(() =>
    startObjectLoop({
      ...{ ambient, onError, resource: requests },
      async work(request) {
        const rule = rules.get(request.spec?.signerName ?? '');
        if (rule && isToBeSigned(request)) await response(request, rule, requests, options);
        return undefined;
      },
    }),
  );
}

async function response(
  request: SigningRequest,
  rule: SignerRule,
  requests: ResourceClient<SigningRequest>,
  options: CertificateSigningOptions,
): Promise<void> {
  const { authority, ambient } = options;
  const { usages = [], request: encodedRequest = '' } = request.spec ?? {};
  const requested = readRequestedCertificate(textOf(encodedRequest ?? ''));
  const refusal = rule(requested, usages);
  if (refusal !== undefined) return fail(requests, request, refusal, ambient.clock.now());
  const milliseconds = secondsOf(request, options) * 1000;
  const pem = await signCertificate(authority, requested, usages, milliseconds, ambient);
  await issue(requests, request, pem);
}

/** Whether a request is approved, and has neither a certificate nor failed. */
const isToBeSigned = (request: SigningRequest): boolean =>
  hasCondition(request, 'Approved') &&
  !hasCondition(request, 'Denied') &&
  !hasCondition(request, 'Failed') &&
  !request.status?.certificate;

const textOf = (base64: string): string => new TextDecoder().decode(decodeBase64(base64));

/** Returns the requested duration, limited to the maximum. */
function secondsOf(
  { spec: { expirationSeconds } = {} }: SigningRequest,
  { durationSeconds = YEAR_SECONDS }: CertificateSigningOptions,
): number {
  if (expirationSeconds === undefined) return durationSeconds;
  return Math.min(durationSeconds, Math.max(LEAST_SECONDS, expirationSeconds));
}

async function issue(
  requests: ResourceClient<SigningRequest>,
  request: SigningRequest,
  pem: string,
): Promise<void> {
  const certificate = encodeBase64(new TextEncoder().encode(pem));
  await requests.status.update({ ...request, status: { ...request.status, certificate } });
}

async function fail(
  requests: ResourceClient<SigningRequest>,
  request: SigningRequest,
  message: string,
  now: number,
): Promise<void> {
  const failed: RequestCondition = {
    ...{ type: 'Failed', status: 'True', reason: 'SignerValidationFailure', message },
    lastUpdateTime: timestampText(now),
  };
  const conditions = [...(request.status?.conditions ?? []), failed];
  await requests.status.update({ ...request, status: { ...request.status, conditions } });
}
