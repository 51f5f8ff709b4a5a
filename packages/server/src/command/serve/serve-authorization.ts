import { statSync } from 'node:fs';
import {
  type AuthorizationConfiguration,
  type AuthorizerMetrics,
  createAuthorizerMetrics,
  createUnionAuthorizer,
  parseAuthorizationConfiguration,
  withDecisionMetrics,
  withPrivilegedGroup,
} from '@ashlar/authz';
import type { Ambient, Authorizer, Metrics, Transport, Vocabulary } from '@ashlar/core';
import type { AuthorizerFactory, StoredAuthorizers } from '../../assembly/server-access.ts';
import type { ServeFlags } from '../flags/serve-flags.ts';
import { followConfigurationFile } from '../follow-configuration-file.ts';
import { readTextFile } from '../read-text-file.ts';
import { UsageError } from '../usage-error.ts';
import { WebhookConnections } from '../webhook-connections.ts';
import { authorizerOf } from './authorization-modes.ts';
import {
  type AuthorizationWebhookOptions,
  authorizationWebhookOf,
  configuredWebhook,
  type MakeWebhook,
} from './serve-authorization-webhook.ts';

/** Who may do what, by the flags or by a file, for as long as the server is there. */
export interface ServeAuthorization extends Disposable {
  readonly authorizer: AuthorizerFactory;
  /** Begins to follow the file, and counts how that goes. */
  follow(metrics: Metrics): void;
}

/** What a server is surrounded by that is made by flags. */
export interface AuthorizationSurroundings {
  readonly ambient: Ambient;
  readonly transport: Transport;
  readonly report: (text: string) => void;
}

const FILE = 'authorization-config';

/**
 * Who may do what: by the authorization modes, or by the configuration of a file that is read again when it changes (semantics/access#authorization).
 * @throws UsageError
 */
export function createServeAuthorization(
  flags: ServeFlags,
  surroundings: AuthorizationSurroundings,
): ServeAuthorization {
  const file = flags[FILE];
  if (file !== undefined) return new FollowedAuthorization(file, flags, surroundings);
  const connections = new WebhookConnections(surroundings);
  const webhook = authorizationWebhookOf(flags, { ...surroundings, connections });
  const { ambient, report } = surroundings;
  return {
    authorizer: authorizerOf(flags, ambient.vocabulary, report, webhook),
    follow: () => {},
    [Symbol.dispose]: () => connections[Symbol.dispose](),
  };
}

/** Makes authorizers over what a server stores. */
type MakeAuthorizer = (stored: StoredAuthorizers, metrics: AuthorizerMetrics) => Authorizer;

/** What was read of the file at one time. */
interface Reading {
  readonly make: MakeAuthorizer;
  /** To its webhooks. */
  readonly connections: Disposable;
}

/** How long the connections of a reading stay when there is a new one: requests may still be on their way over them. */
const RETIREMENT_MILLISECONDS = 60_000;

class FollowedAuthorization implements ServeAuthorization {
  readonly authorizer: AuthorizerFactory;
  readonly #file: string;
  readonly #surroundings: AuthorizationSurroundings;
  /** Of `Node` and `RBAC`: those that stay. */
  readonly #kept: string;
  #reading: Reading;
  readonly #retired: Set<Reading> = new Set();
  #following: Disposable | undefined;

  constructor(file: string, flags: ServeFlags, surroundings: AuthorizationSurroundings) {
    refuseModes(flags);
    this.#file = file;
    this.#surroundings = surroundings;
    const configuration = usable(() => parsed(readTextFile(FILE, file), surroundings.ambient.vocabulary));
    this.#kept = keptTypes(configuration);
    this.#reading = usable(() => readingOf(configuration, surroundings));
    this.authorizer = (stored) => this.#over(stored);
  }

  follow(metrics: Metrics): void {
    const { ambient, report } = this.#surroundings;
    this.#following = followConfigurationFile(this.#file, {
      ...{ metrics, report, clock: ambient.clock },
      subsystem: 'authorization_config_controller',
      subject: 'authorization configuration',
      apply: (text) => this.#apply(text),
    });
  }

  [Symbol.dispose](): void {
    this.#following?.[Symbol.dispose]();
    for (const reading of [this.#reading, ...this.#retired]) reading.connections[Symbol.dispose]();
  }

  /** @throws Error where the text cannot be used */
  #apply(text: string): void {
    const configuration = parsed(text, this.#surroundings.ambient.vocabulary);
    if (keptTypes(configuration) !== this.#kept)
      throw new Error('the authorizers Node and RBAC are neither added nor removed while the server runs');
    const replaced = this.#reading;
    this.#reading = readingOf(configuration, this.#surroundings);
    this.#retire(replaced);
  }

  #retire(reading: Reading): void {
    this.#retired.add(reading);
    this.#surroundings.ambient.clock.setTimer(RETIREMENT_MILLISECONDS, () => {
      reading.connections[Symbol.dispose]();
      this.#retired.delete(reading);
    });
  }

  /** What decides over one store: made anew when there is a new reading. */
  #over(stored: StoredAuthorizers): Authorizer {
    let reading = this.#reading;
    const metrics = createAuthorizerMetrics(stored.metrics);
    let inner = reading.make(stored, metrics);
    const now = (): Authorizer => {
      if (reading !== this.#reading) {
        reading = this.#reading;
        inner = reading.make(stored, metrics);
      }
      return inner;
    };
    return withPrivilegedGroup({
      authorize: (attributes, signal) => now().authorize(attributes, signal),
      rules: (user, namespace) => now().rules?.(user, namespace) ?? NO_RULES,
    });
  }
}

const NO_RULES = { resourceRules: [], nonResourceRules: [], incomplete: true, errors: [] };

function refuseModes(flags: ServeFlags): void {
  const other = Object.keys(flags).find((flag) => flag.startsWith('authorization-') && flag !== FILE);
  if (other !== undefined) throw new UsageError(`flag --${FILE} cannot be combined with --${other}`);
}

function usable<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(`flag --${FILE}: ${(error as Error).message}`);
  }
}

/** @throws Error where it cannot be used */
const parsed = (text: string, vocabulary: Vocabulary): AuthorizationConfiguration =>
  parseAuthorizationConfiguration(text, { vocabulary, fileProblem });

function fileProblem(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return `error loading file: stat ${path}: no such file or directory`;
  return found.isFile() ? undefined : 'must be a regular file';
}

const keptTypes = ({ authorizers }: AuthorizationConfiguration): string =>
  authorizers
    .map(({ type }) => type)
    .filter((type) => type !== 'Webhook')
    .sort()
    .join();

/** @throws UsageError for a webhook that cannot be asked */
function readingOf(
  configuration: AuthorizationConfiguration,
  surroundings: AuthorizationSurroundings,
): Reading {
  const connections = new WebhookConnections(surroundings);
  try {
    return { make: unionOf(configuration, { ...surroundings, connections }), connections };
  } catch (error) {
    connections[Symbol.dispose]();
    throw error;
  }
}

function unionOf(
  { authorizers }: AuthorizationConfiguration,
  surroundings: AuthorizationWebhookOptions,
): MakeAuthorizer {
  const members = authorizers.map(({ type, name, webhook }): MakeAuthorizer => {
    const make = memberOf(type, webhook && configuredWebhook(webhook, name, surroundings));
    return (stored, metrics) => withDecisionMetrics(make(stored, metrics), { type, name, metrics });
  });
  return (stored, metrics) => createUnionAuthorizer(members.map((member) => member(stored, metrics)));
}

function memberOf(type: string, webhook: MakeWebhook | undefined): MakeAuthorizer {
  if (type === 'Node') return ({ node }) => node;
  return type === 'RBAC' || !webhook ? ({ rbac }) => rbac() : (_, metrics) => webhook(metrics);
}
