import { goQuote, type ServerResponse } from '@ashlar/core';
import { textResponse } from './error-response.ts';
import type { RequestScope } from './request-scope.ts';
import { PAGE_NOT_FOUND } from './unrouted.ts';

/** One thing that must be well. */
export interface HealthCheck {
  readonly name: string;
  /** Throws where it is not. */
  check(): void | Promise<void>;
}

/** Endpoints of health. */
export type HealthEndpoint = 'healthz' | 'livez' | 'readyz';

const ENDPOINTS: readonly HealthEndpoint[] = ['healthz', 'livez', 'readyz'];

/** Checks by endpoint; a host adds its own. */
export class HealthChecks {
  readonly #checks: Record<HealthEndpoint, HealthCheck[]> = { healthz: [], livez: [], readyz: [] };

  /** Adds a check to endpoints, to all three where none is named. */
  add(check: HealthCheck, endpoints: readonly HealthEndpoint[] = ENDPOINTS): void {
    for (const endpoint of endpoints) this.#checks[endpoint].push(check);
  }

  /** Answers a path of health; undefined for other paths (semantics L5). */
  handle({ info }: RequestScope): Promise<ServerResponse> | undefined {
    const [, root = '', ...rest] = info.path.split('/');
    const endpoint = ENDPOINTS.find((name) => name === root);
    if (!endpoint) return undefined;
    const name = rest.join('/').replace(/\/$/, '');
    if (name !== '') return this.#single(endpoint, name);
    return this.#all(endpoint, info.query.has('verbose'), info.query.all('exclude'));
  }

  async #single(endpoint: HealthEndpoint, name: string): Promise<ServerResponse> {
    const check = this.#checks[endpoint].find((candidate) => candidate.name === name);
    if (!check) return textResponse(404, PAGE_NOT_FOUND);
    const error = await failureOf(check);
    return error === undefined
      ? textResponse(200, 'ok')
      : textResponse(500, `internal server error: ${error}\n`);
  }

  async #all(
    endpoint: HealthEndpoint,
    verbose: boolean,
    exclude: readonly string[],
  ): Promise<ServerResponse> {
    const lines: string[] = [];
    const failed: string[] = [];
    for (const check of this.#checks[endpoint]) {
      if (exclude.includes(check.name)) lines.push(`[+]${check.name} excluded: ok`);
      else if ((await failureOf(check)) !== undefined)
        failed.push(lines[lines.push(`[-]${check.name} failed: reason withheld`) - 1] as string);
      else lines.push(`[+]${check.name} ok`);
    }
    const unknown = exclude.filter((name) => !this.#checks[endpoint].some((check) => check.name === name));
    if (unknown.length > 0) {
      lines.push(
        `warn: some health checks cannot be excluded: no matches for ${unknown.map(goQuote).join(', ')}`,
      );
    }
    if (failed.length > 0) return textResponse(500, `${lines.join('\n')}\n${endpoint} check failed\n`);
    return textResponse(200, verbose ? `${lines.join('\n')}\nhealthz check passed\n` : 'ok');
  }
}

/** What is wrong, maybe in no words; undefined where all is well. */
async function failureOf(check: HealthCheck): Promise<string | undefined> {
  try {
    await check.check();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
