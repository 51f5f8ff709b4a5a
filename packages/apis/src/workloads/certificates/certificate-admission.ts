import type { AdmissionPlugin, AdmissionRequest } from '@ashlar/admission';
import { decisionOf, PRIVILEGED_GROUP } from '@ashlar/authz';
import {
  type Ambient,
  type Authorizer,
  FieldErrors,
  groupName,
  type JsonValue,
  jsonEqual,
  ParseError,
  runInSlices,
  StatusError,
} from '@ashlar/core';
import { readCertificateRequestSteps, type SignedRequest } from './certificate-bytes.ts';
import { isSignedByKey } from './request-signature.ts';
import type { SigningRequest } from './signing-request-types.ts';

export interface CertificateAdmissionOptions {
  /** Without turns, certificates are read in one piece. */
  readonly ambient: Pick<Ambient, 'vocabulary' | 'clock' | 'turns'>;
  /** Authorizes the verbs `approve` and `sign` on signers. */
  readonly authorizer: Authorizer;
}

/**
 * Plugins that check who may approve and sign certificate signing requests, and what the server's own clients may not request; one more
 * checks that requests are signed by their key (semantics/access#certificate-signing-requests).
 */
export function createCertificateAdmission({
  ambient,
  authorizer,
}: CertificateAdmissionOptions): readonly AdmissionPlugin[] {
  const { vocabulary } = ambient;
  const group = groupName(vocabulary, 'certificates.');
  const clientSigner = `${vocabulary.labelDomain}/${vocabulary.namespacePrefix}-apiserver-client`;
  const isRequest = ({ resource, operation }: AdmissionRequest): boolean =>
    resource.group === group &&
    resource.resource === 'certificatesigningrequests' &&
    (operation === 'CREATE' || operation === 'UPDATE');
  return [
    {
      name: 'CertificateRequests',
      handles: isRequest,
      async validate(request) {
        if (request.subresource === '' && request.operation === 'CREATE')
          await requireSignature(request, ambient);
      },
    },
    {
      name: 'CertificateApproval',
      handles: (request) => isRequest(request) && request.subresource === 'approval',
      validate: (request) => requireRight(request, 'approve', group, authorizer),
    },
    {
      name: 'CertificateSigning',
      handles: (request) => isRequest(request) && request.subresource === 'status',
      async validate(request) {
        if (changesSigning(request)) await requireRight(request, 'sign', group, authorizer);
      },
    },
    {
      name: 'CertificateSubjectRestriction',
      handles: (request) =>
        isRequest(request) && request.subresource === '' && request.operation === 'CREATE',
      validate: (request) => refusePrivileged(request, clientSigner, ambient),
    },
  ];
}

/** What work with pauses needs. */
type Pausing = Pick<Ambient, 'clock' | 'turns'>;

/** Checks that the requester holds the key. @throws StatusError 422 */
async function requireSignature({ object, kind, name }: AdmissionRequest, ambient: Pausing): Promise<void> {
  const { request = null } = (object as SigningRequest).spec ?? {};
  const found = await readRequest(request ?? '', ambient);
  if (!found || (await isSignedByKey(found.signed)) !== false) return;
  const error = FieldErrors.invalid('spec.request', request, 'the signature is not that of its key');
  throw StatusError.invalid(kind.group, kind.kind, name || (object?.metadata.name ?? ''), [error]);
}

async function refusePrivileged(
  { object, resource, name }: AdmissionRequest,
  clientSigner: string,
  ambient: Pausing,
): Promise<void> {
  const { signerName, request } = (object as SigningRequest).spec ?? {};
  if (signerName !== clientSigner) return;
  const found = await readRequest(request ?? '', ambient);
  if (!found?.organizations.includes(PRIVILEGED_GROUP)) return;
  const why = `use of ${clientSigner} signer with ${PRIVILEGED_GROUP} group is not allowed`;
  throw StatusError.forbidden(resource, name, why);
}

async function readRequest(request: string, ambient: Pausing): Promise<SignedRequest | undefined> {
  try {
    return await runInSlices(readCertificateRequestSteps(request), ambient);
  } catch (error) {
    // unreadable requests cannot be signed either
    if (ParseError.is(error)) return undefined;
    throw error;
  }
}

function changesSigning({ object, oldObject }: AdmissionRequest): boolean {
  const signingOf = (request: SigningRequest | undefined): JsonValue =>
    [request?.status?.certificate ?? null, request?.status?.conditions ?? []] as unknown as JsonValue;
  return !jsonEqual(signingOf(object), signingOf(oldObject));
}

/** @throws StatusError 403 */
async function requireRight(
  request: AdmissionRequest,
  verb: 'approve' | 'sign',
  group: string,
  authorizer: Authorizer,
): Promise<void> {
  // the stored signer: it cannot be changed in the same request
  const { signerName = '' } = (request.oldObject as SigningRequest).spec ?? {};
  const domain = signerName.split('/', 1)[0] ?? '';
  for (const name of [signerName, `${domain}/*`]) {
    const { decision } = await decisionOf(authorizer, {
      user: request.user,
      ...{ verb, isResourceRequest: true, apiGroup: group, apiVersion: '*', resource: 'signers' },
      ...{ subresource: '', namespace: '', name, path: '' },
    });
    if (decision === 'allow') return;
  }
  const why = `user not permitted to ${verb} requests with signerName "${signerName}"`;
  throw StatusError.forbidden(request.resource, request.name, why);
}
