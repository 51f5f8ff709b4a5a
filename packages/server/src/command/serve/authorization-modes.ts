import {
  type AuthorizerMetrics,
  alwaysAllow,
  alwaysDeny,
  createAbacAuthorizer,
  createAuthorizerMetrics,
  createUnionAuthorizer,
  parseAbacPolicyFile,
  withDecisionMetrics,
  withPrivilegedGroup,
} from '@ashlar/authz';
import type { Authorizer, Vocabulary } from '@ashlar/core';
import type { AuthorizerFactory, StoredAuthorizers } from '../../assembly/server-access.ts';
import type { AuthorizationMode } from '../flags/authorization-flags.ts';
import type { ServeFlags } from '../flags/serve-flags.ts';
import { readTextFile } from '../read-text-file.ts';
import { UsageError } from '../usage-error.ts';

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
  const abac = abacOf(flags, modes.includes('ABAC'), vocabulary, report);
  type Make = (stored: StoredAuthorizers, metrics: AuthorizerMetrics) => Authorizer;
  const authorizers: Readonly<Record<AuthorizationMode, Make>> = {
    AlwaysAllow: () => alwaysAllow,
    AlwaysDeny: () => alwaysDeny,
    ABAC: () => abac,
    RBAC: ({ rbac }) => rbac(),
    Node: ({ node }) => node,
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

function abacOf(
  flags: ServeFlags,
  isEnabled: boolean,
  vocabulary: Vocabulary,
  report: (text: string) => void,
): Authorizer {
  const file = flags['authorization-policy-file'];
  if (!isEnabled && file !== undefined)
    throw new UsageError('flag --authorization-policy-file needs --authorization-mode ABAC');
  if (!isEnabled) return createAbacAuthorizer([]);
  if (file === undefined)
    throw new UsageError('flag --authorization-mode: ABAC needs --authorization-policy-file');
  try {
    const text = readTextFile('authorization-policy-file', file);
    const { policies, warnings } = parseAbacPolicyFile(text, file, vocabulary);
    for (const warning of warnings) report(`ashlar: ${warning}\n`);
    return createAbacAuthorizer(policies);
  } catch (error) {
    throw error instanceof UsageError
      ? error
      : new UsageError(`flag --authorization-policy-file: ${(error as Error).message}`);
  }
}
