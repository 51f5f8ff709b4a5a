import type { Client } from '@ashlar/client';
import { type ApiObject, type Clock, systemNamespace, type Vocabulary } from '@ashlar/core';
import type { ServedResource } from '@ashlar/http';
import { serverProgram } from '../assembly/program-names.ts';
import { createMissing } from './create-missing.ts';

interface LegacyTokenTrackingOptions {
  readonly vocabulary: Vocabulary;
  readonly clock: Pick<Clock, 'now'>;
  readonly onError: (error: unknown) => void;
}

const SECRETS = { group: '', version: 'v1', resource: 'secrets' };
const DAY_MILLISECONDS = 86_400_000;

/**
 * Labels secrets with the day on which their token was last used, so that what is unused can be removed, and publishes in a config map of the
 * system namespace since when that is done (semantics/access#service-accounts). No use is noted before it is started.
 */
export class LegacyTokenTracking {
  readonly #options: LegacyTokenTrackingOptions;
  #client: Client | undefined;

  constructor(options: LegacyTokenTrackingOptions) {
    this.#options = options;
  }

  /** Publishes since when uses are noted, unless that is so already. */
  async publish(configMaps: ServedResource): Promise<void> {
    const name = `${this.#manager}-legacy-service-account-token-tracking`;
    const namespace = systemNamespace(this.#options.vocabulary, 'system');
    await createMissing(configMaps, [{ metadata: { name }, data: { since: this.#day(0) } }], {
      namespace,
    });
  }

  /** Begins to note uses, by a client with every right. */
  start(client: Client): void {
    this.#client = client;
  }

  /** Notes the use of the token of a secret; once a day. */
  used({ metadata }: ApiObject): void {
    const label = `${this.#options.vocabulary.labelDomain}/legacy-token-last-used`;
    const today = this.#day(0);
    const noted = metadata.labels?.[label];
    // clocks of several servers may differ at midnight
    if (!this.#client || noted === today || noted === this.#day(DAY_MILLISECONDS)) return;
    const secrets = this.#client.resource(SECRETS).namespace(metadata.namespace ?? '');
    const patch = { metadata: { labels: { [label]: today } } };
    secrets
      .patch(metadata.name ?? '', { type: 'merge', patch }, { fieldManager: this.#manager })
      .catch(this.#options.onError);
  }

  get #manager(): string {
    return serverProgram(this.#options.vocabulary);
  }

  #day(later: number): string {
    return new Date(this.#options.clock.now() + later).toISOString().slice(0, 'YYYY-MM-DD'.length);
  }
}
