import type { AuthorizationRules, Authorizer, UserInfo } from '@ashlar/core';

const UNKNOWN: AuthorizationRules = {
  resourceRules: [],
  nonResourceRules: [],
  incomplete: true,
  errors: ['an authorizer does not support user rule resolution'],
};

/**
 * Combines the rules of a user in a namespace from several authorizers. One that cannot list its rules makes the list incomplete
 * (semantics/access#access-reviews, rules review).
 */
export async function rulesOf(
  authorizers: readonly Authorizer[],
  user: UserInfo,
  namespace: string,
): Promise<AuthorizationRules> {
  const lists = await Promise.all(
    authorizers.map((authorizer) => authorizer.rules?.(user, namespace) ?? UNKNOWN),
  );
  return {
    resourceRules: lists.flatMap(({ resourceRules }) => resourceRules),
    nonResourceRules: lists.flatMap(({ nonResourceRules }) => nonResourceRules),
    incomplete: lists.some(({ incomplete }) => incomplete),
    errors: lists.flatMap(({ errors }) => errors),
  };
}
