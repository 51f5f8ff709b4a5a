import { type Impersonation, ImpersonationWithoutUserError, readImpersonation } from '@ashlar/authn';
import { decisionOf, forbiddenError, toHtmlEntities } from '@ashlar/authz';
import { type Authorizer, goQuote, type UserInfo, type Vocabulary } from '@ashlar/core';
import { PlainTextError } from './plain-text-error.ts';
import type { RequestScope } from './request-scope.ts';

/**
 * Returns the user of a request: the caller, or the user that its headers impersonate if the caller is allowed to
 * (semantics/access#impersonation).
 * @throws StatusError 403; PlainTextError 500 if groups, uid or extra are impersonated without a user
 */
export function impersonate(
  authorizer: Authorizer,
  scope: RequestScope,
  caller: UserInfo,
  vocabulary: Vocabulary,
): UserInfo | Promise<UserInfo> {
  const { request } = scope;
  let impersonation: Impersonation | undefined;
  try {
    impersonation = readImpersonation(request.headers, caller, vocabulary);
  } catch (error) {
    if (!ImpersonationWithoutUserError.is(error)) throw error;
    const text = `Internal Server Error: ${goQuote(request.url)}: ${error.message}`;
    throw new PlainTextError(500, `${toHtmlEntities(text)}\n`);
  }
  return impersonation ? allowed(authorizer, impersonation) : caller;
}

async function allowed(authorizer: Authorizer, { user, checks }: Impersonation): Promise<UserInfo> {
  for (const attributes of checks) {
    const { decision, reason } = await decisionOf(authorizer, attributes);
    if (decision !== 'allow') throw forbiddenError(attributes, reason ?? '');
  }
  return user;
}
