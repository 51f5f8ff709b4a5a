import { createAbacAuthorizer, parseAbacPolicyFile } from '@ashlar/authz';
import type { Authorizer, Vocabulary } from '@ashlar/core';
import type { ServeFlags } from '../flags/serve-flags.ts';
import { readTextFile } from '../read-text-file.ts';
import { UsageError } from '../usage-error.ts';

const FILE = 'authorization-policy-file';

/** What the authorizer `ABAC` needs besides flags. */
export interface AbacOptions {
  /** Names of the authorizers of the server. */
  readonly types: readonly string[];
  /** The flag that names them. */
  readonly namedBy: string;
  readonly vocabulary: Vocabulary;
  readonly report: (text: string) => void;
}

/**
 * Returns the authorizer over the policy file, which is read once; one without policies if `ABAC` is not among the authorizers.
 * @throws UsageError
 */
export function abacOf(flags: ServeFlags, { types, namedBy, vocabulary, report }: AbacOptions): Authorizer {
  const file = flags[FILE];
  const isEnabled = types.includes('ABAC');
  if (!isEnabled && file !== undefined) throw new UsageError(`flag --${FILE} needs ABAC in --${namedBy}`);
  if (!isEnabled) return createAbacAuthorizer([]);
  if (file === undefined) throw new UsageError(`flag --${namedBy}: ABAC needs --${FILE}`);
  const text = readTextFile(FILE, file);
  try {
    const { policies, warnings } = parseAbacPolicyFile(text, file, vocabulary);
    for (const warning of warnings) report(`ashlar: ${warning}\n`);
    return createAbacAuthorizer(policies);
  } catch (error) {
    throw new UsageError(`flag --${FILE}: ${(error as Error).message}`);
  }
}
