import type { Authentication, Authenticator, ServerRequest } from '@ashlar/core';
import { knowsTokens, NONE, type TokenAuthenticator } from './token-authenticator.ts';

/**
 * Asks one authenticator after the other; the first that knows the caller decides. One that rejects does not end the
 * search, but where nobody knows the caller its rejection holds (semantics K1).
 */
export function createUnionAuthenticator(authenticators: readonly Authenticator[]): Authenticator {
  const tokens = authenticators.filter(knowsTokens);
  return {
    authenticate: (request: ServerRequest) =>
      firstKnown(authenticators, (authenticator) => authenticator.authenticate(request)),
    ...(tokens.length > 0 && createUnionTokens(tokens)),
  };
}

/** The same for authenticators of tokens. */
export function createUnionTokens(authenticators: readonly TokenAuthenticator[]): TokenAuthenticator {
  return {
    authenticateToken: (token, audiences) =>
      firstKnown(authenticators, (authenticator) => authenticator.authenticateToken(token, audiences)),
    hasForm: (token) => authenticators.some((each) => each.hasForm?.(token) ?? true),
  };
}

/** Asks without a promise as long as the answers are at hand. */
function firstKnown<T>(
  authenticators: readonly T[],
  ask: (authenticator: T) => Authentication | Promise<Authentication>,
  from = 0,
  rejectedBefore: readonly Rejection[] = [],
): Authentication | Promise<Authentication> {
  let rejections = rejectedBefore;
  for (let i = from; i < authenticators.length; i++) {
    const answer = ask(authenticators[i] as T);
    if (answer instanceof Promise) {
      const before = rejections;
      return answer.then((settled) =>
        settled.outcome === 'authenticated'
          ? settled
          : firstKnown(authenticators, ask, i + 1, withRejection(before, settled)),
      );
    }
    if (answer.outcome === 'authenticated') return answer;
    rejections = withRejection(rejections, answer);
  }
  if (rejections.length < 2) return rejections[0] ?? NONE;
  return { outcome: 'rejected', error: joined(rejections.map(({ error }) => error)) };
}

type Rejection = Extract<Authentication, { readonly outcome: 'rejected' }>;

function withRejection(rejections: readonly Rejection[], answer: Authentication): readonly Rejection[] {
  return answer.outcome === 'rejected' ? [...rejections, answer] : rejections;
}

/** Several errors in brackets, equal texts once. */
function joined(errors: readonly Error[]): Error {
  const texts = [...new Set(errors.map(({ message }) => message))];
  const message = texts.length === 1 ? (texts[0] as string) : `[${texts.join(', ')}]`;
  return new AggregateError(errors, message);
}
