import { type FieldError, FieldErrors, goQuote, type Vocabulary } from '@ashlar/core';
import type { Verdict } from './conditions.ts';
import type { CustomResourceDefinition } from './custom-resource-definition.ts';

/** The approval annotation of a definition in a reserved group. */
interface Approval {
  readonly state: 'missing' | 'unapproved' | 'approved' | 'invalid';
  readonly reason: string;
}

/** Groups of the vendor require its approval. */
function isProtected(group: string, { reservedDomains, groupDomain, labelDomain }: Vocabulary): boolean {
  const domains = [groupDomain, labelDomain].filter((domain) => reservedDomains.includes(domain));
  return domains.some((domain) => group === domain || group.endsWith(`.${domain}`));
}

const annotationOf = ({ labelDomain }: Vocabulary): string => `api-approved.${labelDomain}`;

function approvalOf(definition: CustomResourceDefinition, vocabulary: Vocabulary): Approval {
  const name = annotationOf(vocabulary);
  const value = definition.metadata.annotations?.[name] ?? '';
  const must = `protected groups must have approval annotation ${goQuote(name)}`;
  if (value === '') return { state: 'missing', reason: `${must}, see ${vocabulary.approvalPolicy}` };
  if (value.startsWith('unapproved'))
    return { state: 'unapproved', reason: `not approved: ${goQuote(value)}` };
  if (isAddress(value)) return { state: 'approved', reason: `approved in ${value}` };
  const reason = `${must} with either a URL or a reason starting with "unapproved", see ${vocabulary.approvalPolicy}`;
  return { state: 'invalid', reason };
}

const isAddress = (text: string): boolean => /^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^/?#\s]+/.test(text);

/** Returns errors of a missing or invalid approval; an unchanged one is accepted. */
export function approvalErrors(
  definition: CustomResourceDefinition,
  stored: CustomResourceDefinition | undefined,
  vocabulary: Vocabulary,
): readonly FieldError[] {
  if (!isProtected(definition.spec.group, vocabulary)) return [];
  const { state, reason } = approvalOf(definition, vocabulary);
  if (stored && approvalOf(stored, vocabulary).state === state) return [];
  const name = annotationOf(vocabulary);
  const field = `metadata.annotations[${name}]`;
  if (state === 'missing') return [FieldErrors.required(field, reason)];
  if (state === 'invalid')
    return [FieldErrors.invalid(field, definition.metadata.annotations?.[name], reason)];
  return [];
}

const REASONS = {
  missing: 'MissingAnnotation',
  unapproved: 'UnapprovedAnnotation',
  approved: 'ApprovedAnnotation',
  invalid: 'InvalidAnnotation',
} as const;

/** The condition about approval, of definitions in protected groups (semantics/lifecycle#definition-conditions). */
export function approvalVerdict(
  definition: CustomResourceDefinition,
  vocabulary: Vocabulary,
): Verdict | undefined {
  if (!isProtected(definition.spec.group, vocabulary)) return undefined;
  const { state, reason } = approvalOf(definition, vocabulary);
  const { name } = vocabulary;
  return {
    type: `${name.charAt(0).toUpperCase()}${name.slice(1)}APIApprovalPolicyConformant`,
    status: state === 'approved' ? 'True' : 'False',
    reason: REASONS[state],
    message: reason,
  };
}
