import type { SigningRequest } from '@ashlar/apis';
import type { Client, ResourceClient } from '@ashlar/client';
import { groupName, type Vocabulary } from '@ashlar/core';

/** The resource of certificate signing requests. */
export function signingRequests(client: Client, vocabulary: Vocabulary): ResourceClient<SigningRequest> {
  return client.resource<SigningRequest>({
    group: groupName(vocabulary, 'certificates.'),
    version: 'v1',
    resource: 'certificatesigningrequests',
    kind: 'CertificateSigningRequest',
  });
}

/** Whether a request has a true condition of that type. */
export function hasCondition(
  { status }: SigningRequest,
  conditionType: 'Approved' | 'Denied' | 'Failed',
): boolean {
  return (status?.conditions ?? []).some(
    ({ type, status: holds }) => type === conditionType && holds === 'True',
  );
}
