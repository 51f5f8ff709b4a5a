import { statSync } from 'node:fs';
import {
  type AuthorizationConfiguration,
  type AuthorizerConfiguration,
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
import { authorizerOf, authorizersBesideWebhooks, type MakeAuthorizer } from './authorization-modes.ts';
import { abacOf } from './serve-abac.ts';
import {
  type AuthorizationWebhookOptions,
  authorizationWebhookOf,
  configuredWebhook,
} from './serve-authorization-webhook.ts';

/** The authorization that flags or a file configure; disposed with the server. */
export interface ServeAuthorization extends Disposable {
  readonly authorizer: AuthorizerFactory;
  /** Whether every request may be allowed: `AlwaysAllow` is among the authorizers. */
  readonly allowsAll: boolean;
  /** Starts watching the file, and registers metrics of its reloads. */
  follow(metrics: Metrics): void;
}

/** Dependencies of an authorization that flags configure. */
export interface AuthorizationDependencies {
  readonly ambient: Ambient;
  readonly transport: Transport;
  readonly report: (text: string) => void;
}

const FILE = 'authorization-config';
/** Flags that may stand beside that file. */
const BESIDE: readonly string[] = [FILE, 'authorization-policy-file'];

/**
 * Creates the authorization: that of the authorization modes, or that of a configuration file, which is reloaded when it changes (semantics/access#authorization).
 * @throws UsageError
 */
export function createServeAuthorization(
  flags: ServeFlags,
  dependencies: AuthorizationDependencies,
): ServeAuthorization {
  const file = flags[FILE];
  if (file !== undefined) return new FollowedAuthorization(file, flags, dependencies);
  const connections = new WebhookConnections(dependencies);
  const webhook = authorizationWebhookOf(flags, { ...dependencies, connections });
  const { ambient, report } = dependencies;
  return {
    authorizer: authorizerOf(flags, ambient.vocabulary, report, webhook),
    allowsAll: (flags['authorization-mode'] ?? ['AlwaysAllow']).includes('AlwaysAllow'),
    follow: () => {},
    [Symbol.dispose]: () => connections[Symbol.dispose](),
  };
}

/** One version of the file. */
interface Reading {
  readonly make: MakeAuthorizer;
  /** Connections to its webhooks. */
  readonly connections: Disposable;
}

/** How long connections stay open after a reload: requests may still use them. */
const RETIREMENT_MILLISECONDS = 60_000;

class FollowedAuthorization implements ServeAuthorization {
  readonly authorizer: AuthorizerFactory;
  readonly allowsAll: boolean;
  readonly #file: string;
  /** The text with which the server started. */
  readonly #text: string;
  readonly #dependencies: AuthorizationDependencies;
  /** The types but webhooks with which the server started. */
  readonly #types: ReadonlySet<string>;
  readonly #abac: Authorizer;
  #reading: Reading;
  readonly #retired: Set<Reading> = new Set();
  #following: Disposable | undefined;

  constructor(file: string, flags: ServeFlags, dependencies: AuthorizationDependencies) {
    refuseModes(flags);
    this.#file = file;
    this.#dependencies = dependencies;
    this.#text = readTextFile(FILE, file);
    const configuration = usable(() => parsed(this.#text, dependencies.ambient.vocabulary));
    const types = configuration.authorizers.map(({ type }) => type);
    this.#types = new Set(types.filter((type) => type !== WEBHOOK));
    this.allowsAll = this.#types.has('AlwaysAllow');
    const { ambient, report } = dependencies;
    this.#abac = abacOf(flags, { types, namedBy: FILE, vocabulary: ambient.vocabulary, report });
    this.#reading = usable(() => this.#read(configuration));
    this.authorizer = (stored) => this.#authorizerFor(stored);
  }

  follow(metrics: Metrics): void {
    const { ambient, report } = this.#dependencies;
    this.#following = followConfigurationFile(this.#file, {
      ...{ metrics, report, clock: ambient.clock, text: this.#text },
      subsystem: 'authorization_config_controller',
      subject: 'authorization configuration',
      countsStart: true,
      parse: (text) => this.#parse(text),
      apply: (configuration) => this.#apply(configuration),
    });
  }

  [Symbol.dispose](): void {
    this.#following?.[Symbol.dispose]();
    for (const reading of [this.#reading, ...this.#retired]) reading.connections[Symbol.dispose]();
  }

  /** @throws Error if the text is invalid */
  #parse(text: string): AuthorizationConfiguration {
    const configuration = parsed(text, this.#dependencies.ambient.vocabulary);
    requireTypes(configuration, this.#types);
    return configuration;
  }

  /** @throws UsageError for a webhook that cannot be used */
  #apply(configuration: AuthorizationConfiguration): void {
    const replaced = this.#reading;
    this.#reading = this.#read(configuration);
    this.#retire(replaced);
  }

  /** @throws UsageError for a webhook that cannot be used */
  #read({ authorizers }: AuthorizationConfiguration): Reading {
    const connections = new WebhookConnections(this.#dependencies);
    try {
      const dependencies = { ...this.#dependencies, connections };
      return { make: unionOf(authorizers, this.#abac, dependencies), connections };
    } catch (error) {
      connections[Symbol.dispose]();
      throw error;
    }
  }

  #retire(reading: Reading): void {
    this.#retired.add(reading);
    this.#dependencies.ambient.clock.setTimer(RETIREMENT_MILLISECONDS, () => {
      reading.connections[Symbol.dispose]();
      this.#retired.delete(reading);
    });
  }

  /** Returns the authorizer over one store, which is created again after a reload. */
  #authorizerFor(stored: StoredAuthorizers): Authorizer {
    let reading = this.#reading;
    const metrics = createAuthorizerMetrics(stored.metrics);
    let inner = reading.make(stored, metrics);
    const current = (): Authorizer => {
      if (reading !== this.#reading) {
        reading = this.#reading;
        inner = reading.make(stored, metrics);
      }
      return inner;
    };
    return withPrivilegedGroup({
      authorize: (attributes, signal) => current().authorize(attributes, signal),
      rules: (user, namespace) => current().rules?.(user, namespace) ?? NO_RULES,
    });
  }
}

const NO_RULES = { resourceRules: [], nonResourceRules: [], incomplete: true, errors: [] };

function refuseModes(flags: ServeFlags): void {
  const other = Object.keys(flags).find(
    (flag) => flag.startsWith('authorization-') && !BESIDE.includes(flag),
  );
  if (other !== undefined) throw new UsageError(`flag --${FILE} cannot be combined with --${other}`);
}

function usable<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(`flag --${FILE}: ${(error as Error).message}`);
  }
}

/** @throws Error if it is invalid */
const parsed = (text: string, vocabulary: Vocabulary): AuthorizationConfiguration =>
  parseAuthorizationConfiguration(text, { vocabulary, fileProblem });

function fileProblem(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return `error loading file: stat ${path}: no such file or directory`;
  return found.isFile() ? undefined : 'must be a regular file';
}

const WEBHOOK = 'Webhook';

/** Authorizers that are no webhooks may neither vanish nor appear while the server runs. @throws Error */
function requireTypes({ authorizers }: AuthorizationConfiguration, initial: ReadonlySet<string>): void {
  const types = new Set<string>(authorizers.map(({ type }) => type));
  const missing = [...initial].filter((type) => !types.has(type)).sort();
  if (missing.length > 0) throw new Error(`missing required types: [${missing.join(' ')}]`);
  const added = [...types].find((type) => type !== WEBHOOK && !initial.has(type));
  if (added !== undefined)
    throw new Error(
      `authorizer type ${added} is not allowed if it was not enabled at initial server startup`,
    );
}

function unionOf(
  authorizers: AuthorizationConfiguration['authorizers'],
  abac: Authorizer,
  dependencies: AuthorizationWebhookOptions,
): MakeAuthorizer {
  const others = authorizersBesideWebhooks(abac);
  const members = authorizers.map((configuration): MakeAuthorizer => {
    const { type, name } = configuration;
    const make = type === WEBHOOK ? webhookOf(configuration, dependencies) : others[type];
    return (stored, metrics) => withDecisionMetrics(make(stored, metrics), { type, name, metrics });
  });
  return (stored, metrics) => createUnionAuthorizer(members.map((member) => member(stored, metrics)));
}

function webhookOf(
  { webhook, name }: AuthorizerConfiguration & { readonly type: 'Webhook' },
  dependencies: AuthorizationWebhookOptions,
): MakeAuthorizer {
  const make = configuredWebhook(webhook, name, dependencies);
  return (_, metrics) => make(metrics);
}
