import {
  type AuthorizerMetrics,
  alwaysAllow,
  alwaysDeny,
  createAuthorizerMetrics,
  createUnionAuthorizer,
  withDecisionMetrics,
  withPrivilegedGroup,
} from '@ashlar/authz';
import type { Authorizer, Vocabulary } from '@ashlar/core';
import type { AuthorizerFactory, StoredAuthorizers } from '../../assembly/server-access.ts';
import type { AuthorizationMode } from '../flags/authorization-flags.ts';
import type { ServeFlags } from '../flags/serve-flags.ts';
import { abacOf } from './serve-abac.ts';

/** Creates an authorizer over the objects of a server. */
export type MakeAuthorizer = (stored: StoredAuthorizers, metrics: AuthorizerMetrics) => Authorizer;

/** Returns what creates the authorizers that need no configuration of their own. */
export function authorizersBesideWebhooks(
  abac: Authorizer,
): Readonly<Record<Exclude<AuthorizationMode, 'Webhook'>, MakeAuthorizer>> {
  return {
    AlwaysAllow: () => alwaysAllow,
    AlwaysDeny: () => alwaysDeny,
    ABAC: () => abac,
    RBAC: ({ rbac }) => rbac(),
    Node: ({ node }) => node,
  };
}

/**
 * Returns the authorizer that the flags describe. Members of `system:masters` are always allowed.
 * @param webhook creates the authorizer of the mode `Webhook`
 * @throws UsageError
 */
export function authorizerOf(
  flags: ServeFlags,
  vocabulary: Vocabulary,
  report: (text: string) => void,
  webhook: (metrics: AuthorizerMetrics) => Authorizer = () => alwaysDeny,
): AuthorizerFactory {
  const modes = flags['authorization-mode'] ?? ['AlwaysAllow'];
  const abac = abacOf(flags, { types: modes, namedBy: 'authorization-mode', vocabulary, report });
  const authorizers: Readonly<Record<AuthorizationMode, MakeAuthorizer>> = {
    ...authorizersBesideWebhooks(abac),
    Webhook: (_, metrics) => webhook(metrics),
  };
  return (stored) => {
    const metrics = createAuthorizerMetrics(stored.metrics);
    const members = modes.map((type) =>
      withDecisionMetrics(authorizers[type](stored, metrics), { type, name: nameOf(type), metrics }),
    );
    return withPrivilegedGroup(createUnionAuthorizer(members));
  };
}

/** Returns the name of a mode's authorizer in metrics. */
const nameOf = (mode: AuthorizationMode): string => (mode === 'Webhook' ? 'default' : mode.toLowerCase());
