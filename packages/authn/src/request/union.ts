import { type Authentication, type Authenticator, joinedMessages, type ServerRequest } from '@ashlar/core';
import {
  authenticatesTokens,
  NONE,
  preparedQuestion,
  type TokenAuthenticator,
} from '../tokens/token-authenticator.ts';

/**
 * Calls authenticators in order; the first user counts. A rejection does not stop the others, but is the
 * result if none authenticates (semantics/access#authentication). Neither does an exception, but if none
 * authenticates it is rethrown.
 */
export function createUnionAuthenticator(authenticators: readonly Authenticator[]): Authenticator {
  const tokens = authenticators.filter(authenticatesTokens);
  return {
    authenticate: (request: ServerRequest) =>
      firstAuthenticated(authenticators, (authenticator) => authenticator.authenticate(request)),
    ...(tokens.length > 0 && createUnionTokens(tokens)),
  };
}

/** The same for token authenticators. */
export function createUnionTokens(authenticators: readonly TokenAuthenticator[]): TokenAuthenticator {
  return {
    authenticateToken: (token, audiences) =>
      firstAuthenticated(authenticators, (authenticator) =>
        authenticator.authenticateToken(token, audiences),
      ),
    prepare(token) {
      const questions = authenticators.map((authenticator) => preparedQuestion(authenticator, token));
      return () => firstAuthenticated(questions, (authenticate) => authenticate());
    },
    hasForm: (token) => authenticators.some((each) => each.hasForm?.(token) ?? true),
  };
}

/** Rejections and errors of the authenticators so far. */
interface Passed {
  readonly rejections: readonly Error[];
  /** Errors that authenticators threw. */
  readonly failures: readonly unknown[];
}

const NOTHING: Passed = { rejections: [], failures: [] };

/** Runs without a promise as long as the authenticators answer synchronously. */
function firstAuthenticated<T>(
  authenticators: readonly T[],
  authenticate: (authenticator: T) => Authentication | Promise<Authentication>,
  from = 0,
  passedBefore: Passed = NOTHING,
): Authentication | Promise<Authentication> {
  let passed = passedBefore;
  for (let i = from; i < authenticators.length; i++) {
    let result: Authentication | Promise<Authentication>;
    try {
      result = authenticate(authenticators[i] as T);
    } catch (error) {
      passed = withFailure(passed, error);
      continue;
    }
    if (result instanceof Promise) {
      const before = passed;
      return result.then(
        (settled) =>
          settled.outcome === 'authenticated'
            ? settled
            : firstAuthenticated(authenticators, authenticate, i + 1, withRejection(before, settled)),
        (error) => firstAuthenticated(authenticators, authenticate, i + 1, withFailure(before, error)),
      );
    }
    if (result.outcome === 'authenticated') return result;
    passed = withRejection(passed, result);
  }
  return noneAuthenticated(passed);
}

function noneAuthenticated({ rejections, failures }: Passed): Authentication {
  if (failures.length > 0) throw failures[0];
  const [only] = rejections;
  if (!only) return NONE;
  const error = rejections.length === 1 ? only : new AggregateError(rejections, joinedMessages(rejections));
  return { outcome: 'rejected', error };
}

function withRejection(passed: Passed, result: Authentication): Passed {
  return result.outcome === 'rejected'
    ? { ...passed, rejections: [...passed.rejections, result.error] }
    : passed;
}

function withFailure(passed: Passed, error: unknown): Passed {
  return { ...passed, failures: [...passed.failures, error] };
}
