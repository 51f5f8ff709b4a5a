import { writtenUser } from '@ashlar/codec';
import {
  type Ambient,
  type ApiObject,
  type Authentication,
  groupName,
  StatusError,
  timestampText,
  type UserInfo,
} from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { selfSubjectReviewSchema, tokenReviewSchema } from './review-shapes.ts';
import { reviewType } from './review-type.ts';

export interface IdentityReviewOptions {
  /** The audiences of the server, for reviews that name none. */
  readonly apiAudiences?: readonly string[];
  /** Authenticates a token for one of some audiences. Absent if there is no token authentication. */
  authenticateToken?(token: string, audiences: readonly string[]): Authentication | Promise<Authentication>;
}

interface TokenReview extends ApiObject {
  readonly spec?: { readonly token?: string; readonly audiences?: readonly string[] };
  readonly status?: ReviewStatus;
}

type ReviewStatus = Readonly<Record<string, unknown>>;

/** Reviews of the identity of the caller or of a token (semantics/access#tokenreview). */
export function identityReviews(
  ambient: Ambient,
  options: IdentityReviewOptions,
): readonly ResourceDefinition[] {
  const group = groupName(ambient.vocabulary, 'authentication.');
  return [
    reviewType(ambient, {
      group,
      kind: 'SelfSubjectReview',
      schema: selfSubjectReviewSchema,
      answer: ({ user }, { apiVersion, kind }) => ({
        kind,
        apiVersion,
        metadata: { creationTimestamp: timestampText(ambient.clock.now()) },
        status: { userInfo: userInfoOf(user) },
      }),
    }),
    reviewType(ambient, {
      group,
      kind: 'TokenReview',
      schema: tokenReviewSchema,
      answer: (_context, review: TokenReview) => reviewToken(review, options),
    }),
  ];
}

/** @throws StatusError 400 without a token */
async function reviewToken(review: TokenReview, options: IdentityReviewOptions): Promise<ApiObject> {
  const { token = '', audiences: requestedAudiences = [] } = review.spec ?? {};
  const audiences = requestedAudiences.length > 0 ? requestedAudiences : (options.apiAudiences ?? []);
  if (token === '') throw StatusError.badRequest('token is required for TokenReview in authentication');
  const found = await options.authenticateToken?.(token, audiences);
  return { ...review, status: tokenStatus(found ?? { outcome: 'none' }, review.status ?? {}) };
}

/** @param submitted what the review does not determine is preserved of it */
function tokenStatus(found: Authentication, submitted: ReviewStatus): ReviewStatus {
  const { audiences: _audiences, authenticated: _authenticated, ...kept } = submitted;
  if (found.outcome === 'authenticated') {
    const { audiences = [] } = found;
    return {
      ...kept,
      authenticated: true,
      user: userInfoOf(found.user),
      ...(audiences.length > 0 && { audiences }),
    };
  }
  const { audiences } = submitted;
  const unknown = 'invalid bearer token';
  return {
    ...{ user: {}, ...kept, ...(audiences !== undefined && { audiences }) },
    error: found.outcome === 'rejected' ? `[${unknown}, ${found.error.message}]` : unknown,
  };
}

function userInfoOf(user: UserInfo): Readonly<Record<string, unknown>> {
  const { name, uid, groups, extra } = writtenUser(user);
  return {
    username: name,
    ...(uid && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(extra && Object.keys(extra).length > 0 && { extra }),
  };
}
