import {
  type Ambient,
  type Authentication,
  type Authenticator,
  type Count,
  countOutcomes,
  exponentialBounds,
  type Metrics,
  measured,
  type ServerRequest,
  systemNamespace,
  type Vocabulary,
} from '@ashlar/core';

export interface AuthenticationMetricsOptions {
  readonly metrics: Metrics;
  readonly ambient: Pick<Ambient, 'clock' | 'vocabulary'>;
}

/**
 * Counts authenticated users and authentication attempts, and measures their duration
 * (semantics/discovery#metrics).
 * @throws TypeError if these metrics are already registered
 */
export function withAuthenticationMetrics(
  inner: Authenticator,
  { metrics, ambient: { clock, vocabulary } }: AuthenticationMetricsOptions,
): Authenticator {
  const attempted = countOutcomes<'success' | 'failure' | 'error'>(metrics, {
    attempts: {
      name: 'authentication_attempts',
      help: 'Number of authentication attempts, by outcome.',
    },
    duration: {
      name: 'authentication_duration_seconds',
      help: 'How long it took to know who sends a request, by outcome.',
    },
    bounds: exponentialBounds(0.001, 2, 15),
  });
  const countUser = countUsers(metrics, vocabulary);
  return {
    ...(inner.authenticateToken && { authenticateToken: inner.authenticateToken.bind(inner) }),
    authenticate: measured((request: ServerRequest) => inner.authenticate(request), clock, {
      answered(result, seconds) {
        attempted(RESULTS[result.outcome], seconds);
        if (result.outcome === 'authenticated') countUser(result.user.name);
      },
      failed: (seconds) => attempted('error', seconds),
    }),
  };
}

const RESULTS = {
  authenticated: 'success',
  none: 'failure',
  rejected: 'error',
} as const satisfies Readonly<Record<Authentication['outcome'], string>>;

/** Counts users by kinds of their names. */
function countUsers(metrics: Metrics, vocabulary: Vocabulary): (name: string) => void {
  const users = metrics.counter({
    ...{ name: 'authenticated_user_requests', labels: ['username'] },
    help: 'Requests of callers who are known, by kinds of names.',
  });
  const named = namedUsers(vocabulary);
  const places = new Map<string, Count>();
  return (name) => {
    const kind = kindOfName(name, named);
    let place = places.get(kind);
    if (!place) {
      place = users.of([kind]);
      places.set(kind, place);
    }
    place.add();
  };
}

/** User names that appear in metrics; all others are grouped, to limit the number of series and to protect users. */
const namedUsers = (vocabulary: Vocabulary): ReadonlySet<string> =>
  new Set([
    ...['admin', 'client', `${vocabulary.namespacePrefix}_proxy`, 'kubelet'],
    `system:serviceaccount:${systemNamespace(vocabulary, 'system')}:default`,
  ]);

function kindOfName(name: string, named: ReadonlySet<string>): string {
  if (named.has(name)) return name;
  return name.includes('@') ? 'email_id' : 'other';
}
