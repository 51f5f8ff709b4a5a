import { ACCESS } from './flag-groups.ts';
import { concatenated, names, text } from './flag-kinds.ts';
import type { Flag, FlagTableOf } from './flags.ts';
import { type AuthorizationWebhookFlags, authorizationWebhookFlags } from './webhook-flags.ts';

const MODES = ['AlwaysAllow', 'AlwaysDeny', 'ABAC', 'RBAC', 'Node', 'Webhook'] as const;

/** Authorization modes of the command. */
export type AuthorizationMode = (typeof MODES)[number];

/** Flags of authorization. */
export interface AuthorizationFlags extends AuthorizationWebhookFlags {
  readonly 'authorization-mode'?: readonly AuthorizationMode[];
  readonly 'authorization-policy-file'?: string;
  readonly 'authorization-config'?: string;
}

const modes = names(
  ACCESS,
  'ordered list of authorization modes: AlwaysAllow, AlwaysDeny, ABAC, RBAC, Node, Webhook (default AlwaysAllow)',
  MODES,
  (mode) => `unknown authorization mode ${mode}; known modes are ${MODES.join(', ')}`,
);

const authorizationMode: Flag<readonly AuthorizationMode[]> = {
  ...modes,
  parse: (argument) => eachOnce(modes.parse(argument)),
  join: (first, second) => eachOnce(concatenated(first, second)),
};

/** @throws Error */
function eachOnce(modes: readonly AuthorizationMode[]): readonly AuthorizationMode[] {
  if (new Set(modes).size < modes.length) throw new Error('an authorization mode is repeated');
  return modes;
}

export const authorizationFlags: FlagTableOf<AuthorizationFlags> = {
  'authorization-mode': authorizationMode,
  'authorization-policy-file': text(
    ACCESS,
    'FILE',
    'policies of the authorizer ABAC, one JSON object per line',
  ),
  ...authorizationWebhookFlags,
  'authorization-config': text(
    ACCESS,
    'FILE',
    'authorization configuration, instead of --authorization-mode; reloaded when it changes',
  ),
};
