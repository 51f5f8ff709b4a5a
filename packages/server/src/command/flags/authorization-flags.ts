import { ACCESS } from './flag-groups.ts';
import { grown, names, text } from './flag-kinds.ts';
import type { Flag, FlagTableOf } from './flags.ts';
import { type AuthorizationWebhookFlags, authorizationWebhookFlags } from './webhook-flags.ts';

const MODES = ['AlwaysAllow', 'AlwaysDeny', 'ABAC', 'RBAC', 'Node', 'Webhook'] as const;

/** Authorizers that the command can be asked for. */
export type AuthorizationMode = (typeof MODES)[number];

/** Which authorizers there are, and by what they decide. */
export interface AuthorizationFlags extends AuthorizationWebhookFlags {
  readonly 'authorization-mode'?: readonly AuthorizationMode[];
  readonly 'authorization-policy-file'?: string;
  readonly 'authorization-config'?: string;
}

const knownModes = names(
  ACCESS,
  'authorizers in order, of AlwaysAllow, AlwaysDeny, ABAC, RBAC, Node and Webhook (default AlwaysAllow)',
  MODES,
  (mode) => `${mode} is no authorization mode; there are ${MODES.join(', ')}`,
);

const authorizationMode: Flag<readonly AuthorizationMode[]> = {
  ...knownModes,
  parse: (given) => eachOnce(knownModes.parse(given)),
  join: (earlier, later) => eachOnce(grown(earlier, later)),
};

/** @throws Error */
function eachOnce(modes: readonly AuthorizationMode[]): readonly AuthorizationMode[] {
  if (new Set(modes).size < modes.length) throw new Error('an authorization mode is named twice');
  return modes;
}

export const authorizationFlags: FlagTableOf<AuthorizationFlags> = {
  'authorization-mode': authorizationMode,
  'authorization-policy-file': text(ACCESS, 'FILE', 'policies of the mode ABAC, one JSON object a line'),
  ...authorizationWebhookFlags,
  'authorization-config': text(
    ACCESS,
    'FILE',
    'authorizers in order, instead of the modes; reread when it changes',
  ),
};
