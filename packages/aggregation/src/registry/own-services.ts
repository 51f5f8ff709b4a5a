import type { OwnRegistrations, RankedVersion } from '@ashlar/http';
import type { ApiService } from '../api-services/api-service.ts';
import { LOCAL, withAvailability } from '../availability/available-condition.ts';
import { groupVersionOf } from '../backends/backend.ts';

export interface OwnServicesOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly updateStatus: (
    name: string,
    change: (stored: ApiService) => ApiService | undefined,
  ) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/**
 * The API services of this server itself. They say where its versions are in discovery, and are always available: a condition that
 * says otherwise is corrected (semantics/discovery#aggregation-in-detail).
 */
export class OwnServices implements OwnRegistrations {
  readonly #options: OwnServicesOptions;
  readonly #services = new Map<string, ApiService>();
  #generation = 0;
  #isStarted = false;

  constructor(options: OwnServicesOptions) {
    this.#options = options;
  }

  get generation(): number {
    return this.#generation;
  }

  *versions(): Iterable<RankedVersion> {
    for (const service of this.#services.values()) {
      const { groupPriorityMinimum: groupPriority, versionPriority } = service.spec;
      yield { ...groupVersionOf(service), groupPriority, versionPriority };
    }
  }

  set(service: ApiService): void {
    const name = service.metadata.name ?? '';
    const before = this.#services.get(name);
    this.#services.set(name, service);
    if (!before || !haveSameRank(before, service)) this.#generation++;
    if (this.#isStarted) void this.#correct(name, service);
  }

  delete(name: string): void {
    if (this.#services.delete(name)) this.#generation++;
  }

  start(): void {
    this.#isStarted = true;
    for (const [name, service] of this.#services) void this.#correct(name, service);
  }

  async #correct(name: string, service: ApiService): Promise<void> {
    if (!this.#corrected(service)) return;
    try {
      await this.#options.updateStatus(name, (stored) => this.#corrected(stored));
    } catch (error) {
      if (this.#services.has(name)) this.#options.onError(error);
    }
  }

  #corrected(service: ApiService): ApiService | undefined {
    return service.spec.service ? undefined : withAvailability(service, LOCAL, this.#options.now());
  }
}

function haveSameRank({ spec: a }: ApiService, { spec: b }: ApiService): boolean {
  return a.groupPriorityMinimum === b.groupPriorityMinimum && a.versionPriority === b.versionPriority;
}
