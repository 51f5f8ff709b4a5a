import { groupName, type Vocabulary } from '@ashlar/core';
import type { AdmissionRequest } from '../admission-request.ts';

/** Whether webhooks and policies are never called: for their own configurations. */
export function isExempt({ resource }: Pick<AdmissionRequest, 'resource'>, vocabulary: Vocabulary): boolean {
  return (
    CONFIGURATIONS.has(resource.resource) &&
    resource.group === groupName(vocabulary, 'admissionregistration.')
  );
}

const CONFIGURATIONS: ReadonlySet<string> = new Set([
  'validatingwebhookconfigurations',
  'mutatingwebhookconfigurations',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
]);

/** Whether policies are never evaluated: for configurations, and for reviews, without which no caller could be identified. */
export function isExemptFromPolicies(
  { resource }: Pick<AdmissionRequest, 'resource'>,
  vocabulary: Vocabulary,
): boolean {
  if (isExempt({ resource }, vocabulary)) return true;
  if (!REVIEWS.has(resource.resource)) return false;
  const groups = [groupName(vocabulary, 'authentication.'), groupName(vocabulary, 'authorization.')];
  return groups.includes(resource.group);
}

const REVIEWS: ReadonlySet<string> = new Set([
  'selfsubjectreviews',
  'tokenreviews',
  'localsubjectaccessreviews',
  'selfsubjectaccessreviews',
  'selfsubjectrulesreviews',
  'subjectaccessreviews',
]);
