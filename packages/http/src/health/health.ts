import { encodeUtf8 } from '@ashlar/codec';
import { type Clock, errorMessage, goQuote, type ServerResponse, type Vocabulary } from '@ashlar/core';
import { textResponse } from '../pipeline/error-response.ts';
import { PAGE_NOT_FOUND } from '../pipeline/path-not-found.ts';
import type { RequestScope } from '../pipeline/request-scope.ts';
import { HealthIndicators } from './health-indicators.ts';

/** The health endpoints. */
export type HealthEndpoint = 'healthz' | 'livez' | 'readyz';

const ENDPOINTS: readonly HealthEndpoint[] = ['healthz', 'livez', 'readyz'];

/** A health check. */
export interface HealthCheck {
  readonly name: string;
  /** The endpoints that run it; default: all three. */
  readonly endpoints?: readonly HealthEndpoint[];
  /** Whether it checks the startup: `livez` considers it healthy during the grace period. Default false. */
  readonly isStartup?: boolean;
  /** Throws if unhealthy. */
  check(): void | Promise<void>;
}

/** Options of {@link HealthChecks}. */
export interface HealthOptions {
  readonly clock: Clock;
  readonly vocabulary: Vocabulary;
  /** Grace period of startup checks at `livez`, in milliseconds; default 0. */
  readonly livezGraceMilliseconds?: number;
}

/** The health checks of a server by endpoint; a host adds its own. */
export class HealthChecks {
  readonly #checks: Record<HealthEndpoint, HealthCheck[]> = { healthz: [], livez: [], readyz: [] };
  /** Results, for metrics. */
  readonly indicators: HealthIndicators;
  readonly #isStarting: () => boolean;

  constructor({ clock, vocabulary, livezGraceMilliseconds = 0 }: HealthOptions) {
    this.indicators = new HealthIndicators(vocabulary);
    const end = clock.monotonic() + livezGraceMilliseconds;
    this.#isStarting = () => clock.monotonic() < end;
  }

  /** Adds a check to its endpoints. */
  add(check: HealthCheck): void {
    for (const endpoint of check.endpoints ?? ENDPOINTS)
      this.#checks[endpoint].push(endpoint === 'livez' && check.isStartup ? this.#withGrace(check) : check);
  }

  #withGrace(check: HealthCheck): HealthCheck {
    return { ...check, check: () => (this.#isStarting() ? undefined : check.check()) };
  }

  /** Handles requests for health endpoints; returns undefined for other paths (semantics/discovery#health). */
  handle({ info }: RequestScope): Promise<ServerResponse> | undefined {
    const [, root = '', ...rest] = info.path.split('/');
    const endpoint = ENDPOINTS.find((name) => name === root);
    if (!endpoint) return undefined;
    if (rest.length > 0) return this.#single(endpoint, rest.join('/'));
    return this.#all(endpoint, info.query.has('verbose'), info.query.all('exclude'));
  }

  /** The paths of all checks. */
  get paths(): readonly string[] {
    return ENDPOINTS.flatMap((endpoint) => [
      `/${endpoint}`,
      ...this.#checks[endpoint].map(({ name }) => `/${endpoint}/${name}`),
    ]);
  }

  async #single(endpoint: HealthEndpoint, name: string): Promise<ServerResponse> {
    const check = this.#checks[endpoint].find((candidate) => candidate.name === name);
    if (!check) return textResponse(404, PAGE_NOT_FOUND);
    const error = await failureOf(check);
    return error === undefined
      ? { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: encodeUtf8('ok') }
      : textResponse(500, `internal server error: ${error}\n`);
  }

  async #all(
    endpoint: HealthEndpoint,
    verbose: boolean,
    exclude: readonly string[],
  ): Promise<ServerResponse> {
    const lines: string[] = [];
    let hasFailed = false;
    for (const check of this.#checks[endpoint]) {
      if (exclude.includes(check.name)) {
        lines.push(`[+]${check.name} excluded: ok`);
        continue;
      }
      const isHealthy = (await failureOf(check)) === undefined;
      this.indicators.record(check.name, endpoint, isHealthy);
      lines.push(isHealthy ? `[+]${check.name} ok` : `[-]${check.name} failed: reason withheld`);
      hasFailed ||= !isHealthy;
    }
    const unknown = [...new Set(exclude)]
      .filter((name) => !this.#checks[endpoint].some((check) => check.name === name))
      .sort();
    if (unknown.length > 0) {
      lines.push(
        `warn: some health checks cannot be excluded: no matches for ${unknown.map(goQuote).join(', ')}`,
      );
    }
    if (hasFailed) return textResponse(500, `${lines.join('\n')}\n${endpoint} check failed\n`);
    return textResponse(200, verbose ? `${lines.join('\n')}\nhealthz check passed\n` : 'ok');
  }
}

/** Returns the error message of a check, which may be empty; undefined if it is healthy. */
async function failureOf(check: HealthCheck): Promise<string | undefined> {
  try {
    await check.check();
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}
