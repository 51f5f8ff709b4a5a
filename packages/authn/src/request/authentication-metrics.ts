import {
  type Ambient,
  type Authentication,
  type Authenticator,
  type Count,
  countOutcomes,
  exponentialBounds,
  type Metrics,
  observed,
  systemNamespace,
  type Vocabulary,
} from '@ashlar/core';

export interface AuthenticationMetricsOptions {
  readonly metrics: Metrics;
  readonly ambient: Pick<Ambient, 'clock' | 'vocabulary'>;
}

/**
 * Counts who is let in, how often somebody is not, and how long it takes to know (semantics/discovery#metrics).
 * @throws TypeError where these metrics are counted already
 */
export function withAuthenticationMetrics(
  inner: Authenticator,
  { metrics, ambient: { clock, vocabulary } }: AuthenticationMetricsOptions,
): Authenticator {
  const attempted = countOutcomes<'success' | 'failure' | 'error'>(metrics, {
    attempts: {
      name: 'authentication_attempts',
      help: 'Requests whose callers were looked for, by outcome.',
    },
    duration: {
      name: 'authentication_duration_seconds',
      help: 'How long it took to know who sends a request, by outcome.',
    },
    bounds: exponentialBounds(0.001, 2, 15),
  });
  const known = countUsers(metrics, vocabulary);
  return {
    ...(inner.authenticateToken && { authenticateToken: inner.authenticateToken.bind(inner) }),
    authenticate(request) {
      const begun = clock.monotonic();
      return observed(
        () => inner.authenticate(request),
        (answer) => {
          attempted(RESULTS[answer.outcome], (clock.monotonic() - begun) / 1000);
          if (answer.outcome === 'authenticated') known(answer.user.name);
        },
        () => attempted('error', (clock.monotonic() - begun) / 1000),
      );
    },
  };
}

const RESULTS = {
  authenticated: 'success',
  none: 'failure',
  rejected: 'error',
} as const satisfies Readonly<Record<Authentication['outcome'], string>>;

/** Counts callers by kinds of their names. */
function countUsers(metrics: Metrics, vocabulary: Vocabulary): (name: string) => void {
  const users = metrics.counter({
    ...{ name: 'authenticated_user_requests', labels: ['username'] },
    help: 'Requests of callers who are known, by kinds of names.',
  });
  const told = toldNames(vocabulary);
  const places = new Map<string, Count>();
  return (name) => {
    const kind = kindOfName(name, told);
    const place = places.get(kind) ?? users.of([kind]);
    places.set(kind, place);
    place.add();
  };
}

/** Names that are told; all others would be too many, and nobody's business. */
const toldNames = (vocabulary: Vocabulary): ReadonlySet<string> =>
  new Set([
    ...['admin', 'client', `${vocabulary.namespacePrefix}_proxy`, 'kubelet'],
    `system:serviceaccount:${systemNamespace(vocabulary, 'system')}:default`,
  ]);

function kindOfName(name: string, told: ReadonlySet<string>): string {
  if (told.has(name)) return name;
  return name.includes('@') ? 'email_id' : 'other';
}
