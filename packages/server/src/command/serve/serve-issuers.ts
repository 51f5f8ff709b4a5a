import {
  type AnonymousConfiguration,
  type AuthenticationConfiguration,
  createJwtIssuers,
  type JwtConfiguration,
  jwtAlgorithms,
  parseAuthenticationConfiguration,
  type TokenAuthenticator,
} from '@ashlar/authn';
import type { Ambient, Authentication, Metrics, Transport } from '@ashlar/core';
import type { ServeFlags } from '../flags/serve-flags.ts';
import { followConfigurationFile } from '../follow-configuration-file.ts';
import { readTextFile } from '../read-text-file.ts';
import { UsageError } from '../usage-error.ts';

/** JWT issuers that flags or a file configure. */
export interface ServeIssuers extends Disposable {
  readonly tokens: TokenAuthenticator;
  /** The anonymous configuration of the file, which a reload cannot change; undefined if it has none. */
  readonly anonymous: AnonymousConfiguration | undefined;
  /** Starts watching the file, and registers metrics of its reloads. */
  follow(metrics: Metrics): void;
}

const FILE = 'authentication-config';

export interface ServeIssuersOptions {
  readonly ambient: Ambient;
  readonly transport: Transport;
  readonly report: (text: string) => void;
  /** Issuers of this server's own service account tokens. */
  readonly ownIssuers: readonly string[];
}

/** @throws UsageError */
export function issuersOf(flags: ServeFlags, options: ServeIssuersOptions): ServeIssuers {
  const { ambient, transport, report } = options;
  const file = flags[FILE];
  const text = file === undefined ? '' : textOf(flags, file);
  let configuration =
    file === undefined
      ? oidcConfiguration(flags, options.ownIssuers)
      : usable(FILE, () => parsed(text, flags, options));
  const algorithms = file === undefined ? (flags['oidc-signing-algs'] ?? ['RS256']) : jwtAlgorithms;
  const tokens = usable(file === undefined ? 'oidc-issuer-url' : FILE, () =>
    createJwtIssuers(configuration.jwt ?? [], {
      ...{ ambient, transport, algorithms },
      onError: ({ message }) => report(`ashlar: ${message}\n`),
    }),
  );
  let following: Disposable | undefined;
  return {
    tokens: withLoggedRejections(tokens, report),
    get anonymous() {
      return configuration.anonymous;
    },
    follow(metrics) {
      if (file === undefined) return;
      following = followConfigurationFile(file, {
        ...{ metrics, report, text, clock: ambient.clock },
        subsystem: 'authentication_config_controller',
        subject: 'authentication configuration',
        parse(text) {
          const next = parsed(text, flags, options);
          requireAnonymous(next, configuration);
          return next;
        },
        async apply(next, signal) {
          await tokens.replace(next.jwt ?? [], signal);
          configuration = next;
        },
      });
    },
    [Symbol.dispose]() {
      following?.[Symbol.dispose]();
      tokens[Symbol.dispose]();
    },
  };
}

/** Logs why tokens are rejected; the reason is not sent to callers, since messages of rules may be confidential. */
function withLoggedRejections(
  tokens: TokenAuthenticator,
  report: ServeIssuersOptions['report'],
): TokenAuthenticator {
  const reported = (result: Authentication): Authentication => {
    if (result.outcome === 'rejected') report(`ashlar: a token is rejected: ${result.error.message}\n`);
    return result;
  };
  return {
    hasForm: (token) => tokens.hasForm?.(token) ?? true,
    authenticateToken(token, audiences) {
      const result = tokens.authenticateToken(token, audiences);
      return result instanceof Promise ? result.then(reported) : reported(result);
    },
  };
}

/** @throws UsageError if it cannot be read, or flags name an issuer, too */
function textOf(flags: ServeFlags, file: string): string {
  const other = Object.keys(flags).find((flag) => flag.startsWith('oidc-'));
  if (other !== undefined) throw new UsageError(`flag --${FILE} cannot be combined with --${other}`);
  return usable(FILE, () => readTextFile(FILE, file));
}

/** @throws Error if it cannot be used */
function parsed(
  text: string,
  flags: ServeFlags,
  { ambient: { vocabulary }, ownIssuers: disallowedIssuers }: ServeIssuersOptions,
): AuthenticationConfiguration {
  const configuration = parseAuthenticationConfiguration(text, { vocabulary, disallowedIssuers });
  if (configuration.anonymous && flags['anonymous-auth'] !== undefined)
    throw new Error('it configures anonymous requests, and so does --anonymous-auth');
  return configuration;
}

/** Who may come without credentials is decided once. @throws Error */
function requireAnonymous(next: AuthenticationConfiguration, initial: AuthenticationConfiguration): void {
  if (JSON.stringify(next.anonymous) !== JSON.stringify(initial.anonymous))
    throw new Error('anonymous: Forbidden: changed from initial configuration file');
}

function usable<T>(flag: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(`flag --${flag}: ${(error as Error).message}`);
  }
}

/** The one issuer that flags can name (semantics/access#jwt). */
function oidcConfiguration(flags: ServeFlags, ownIssuers: readonly string[]): AuthenticationConfiguration {
  const setFlag = Object.keys(flags).find((flag) => flag.startsWith('oidc-'));
  if (setFlag === undefined) return {};
  const url = flags['oidc-issuer-url'];
  const audience = flags['oidc-client-id'];
  if (url === undefined) throw new UsageError(`flag --${setFlag} needs --oidc-issuer-url`);
  if (audience === undefined) throw new UsageError(`flag --${setFlag} needs --oidc-client-id`);
  if (ownIssuers.includes(url))
    throw new UsageError('flag --oidc-issuer-url: the issuer is that of the tokens of service accounts');
  const authorities = flags['oidc-ca-file'];
  const groups = flags['oidc-groups-claim'];
  const jwt: JwtConfiguration = {
    issuer: {
      url,
      audiences: [audience],
      ...(authorities !== undefined && { certificateAuthority: readTextFile('oidc-ca-file', authorities) }),
    },
    claimValidationRules: [...(flags['oidc-required-claim'] ?? [])].map(([claim, requiredValue]) => ({
      claim,
      requiredValue,
    })),
    claimMappings: {
      username: usernameMapping(flags, url),
      ...(groups !== undefined && { groups: { claim: groups, prefix: flags['oidc-groups-prefix'] ?? '' } }),
    },
  };
  return { jwt: [jwt] };
}

function usernameMapping(flags: ServeFlags, url: string): { claim: string; prefix: string } {
  const claim = flags['oidc-username-claim'] ?? 'sub';
  const prefix = flags['oidc-username-prefix'] ?? (claim === 'email' ? '' : `${url}#`);
  return { claim, prefix: prefix === '-' ? '' : prefix };
}
