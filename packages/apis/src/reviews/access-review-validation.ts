import { type ApiObject, type FieldError, FieldErrors, goQuote, PrintedValue } from '@ashlar/core';
import { type ResourceAttributes, selectorErrors } from './review-selectors.ts';

export interface AccessReviewSpec {
  readonly resourceAttributes?: ResourceAttributes;
  readonly nonResourceAttributes?: { readonly path?: string; readonly verb?: string };
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export interface AccessReview extends ApiObject {
  readonly spec?: AccessReviewSpec;
}

/** Returns the errors of a review of a kind; reviews of the rules of the caller have none. */
export function accessReviewErrors(kind: string, review: ApiObject): readonly FieldError[] {
  const { spec = {} } = review as AccessReview;
  switch (kind) {
    case 'LocalSubjectAccessReview':
      return localErrors(review, review.metadata.namespace ?? '');
    case 'SelfSubjectAccessReview':
      return [...specErrors(spec), ...metadataErrors(review, 'must be empty')];
    case 'SubjectAccessReview':
      return [...specErrors(spec, subjectErrors(spec)), ...metadataErrors(review, 'must be empty')];
    default:
      return [];
  }
}

/** Errors of what is asked about, with those of who it is in between. */
function specErrors(spec: AccessReviewSpec, subject: readonly FieldError[] = []): readonly FieldError[] {
  const { resourceAttributes } = spec;
  const selectors = resourceAttributes ? selectorErrors(resourceAttributes, 'spec.resourceAttributes') : [];
  return [...attributeErrors(spec), ...subject, ...selectors];
}

function attributeErrors({
  resourceAttributes,
  nonResourceAttributes,
}: AccessReviewSpec): readonly FieldError[] {
  if (resourceAttributes && nonResourceAttributes) {
    const text = 'cannot be specified in combination with resourceAttributes';
    return [FieldErrors.invalid('spec.nonResourceAttributes', printedPath(nonResourceAttributes), text)];
  }
  if (resourceAttributes || nonResourceAttributes) return [];
  const text = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  return [FieldErrors.invalid('spec.resourceAttributes', new PrintedValue('"null"'), text)];
}

/** A path that is no resource, as errors print it. */
function printedPath({
  path = '',
  verb = '',
}: NonNullable<AccessReviewSpec['nonResourceAttributes']>): PrintedValue {
  return new PrintedValue(
    `authorization.NonResourceAttributes{Path:${goQuote(path)}, Verb:${goQuote(verb)}}`,
  );
}

function subjectErrors({ user = '', groups = [] }: AccessReviewSpec): readonly FieldError[] {
  return user === '' && groups.length === 0
    ? [FieldErrors.invalid('spec.user', '', 'at least one of user or group must be specified')]
    : [];
}

function localErrors(review: AccessReview, namespace: string): readonly FieldError[] {
  const { spec = {} } = review;
  const { resourceAttributes, nonResourceAttributes } = spec;
  const elsewhere = resourceAttributes && (resourceAttributes.namespace ?? '') !== namespace;
  return [
    ...specErrors(spec, subjectErrors(spec)),
    ...metadataErrors(review, 'must be empty except for namespace', 'namespace'),
    ...(elsewhere
      ? [
          FieldErrors.invalid(
            'spec.resourceAttributes.namespace',
            resourceAttributes.namespace ?? '',
            'must match metadata.namespace',
          ),
        ]
      : []),
    ...(nonResourceAttributes
      ? [
          FieldErrors.invalid(
            'spec.nonResourceAttributes',
            printedPath(nonResourceAttributes),
            'disallowed on this kind of request',
          ),
        ]
      : []),
  ];
}

/** What every create ignores. */
const WIPED: ReadonlySet<string> = new Set([
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'deletionTimestamp',
  'managedFields',
  'selfLink',
  'uid',
]);

function metadataErrors({ metadata }: ApiObject, text: string, except?: string): readonly FieldError[] {
  const submitted = Object.entries(metadata).filter(
    ([field, value]) => field !== except && !WIPED.has(field) && value !== null && value !== undefined,
  );
  return submitted.length === 0 ? [] : [FieldErrors.invalid('metadata', metadata, text)];
}
