import type { VetFlags } from '../../flags/tools/vet-flags.ts';
import { UsageError } from '../../usage-error.ts';

/** Flags about the input of policies, or about the output. */
const OF_POLICIES = ['user', 'groups', 'namespace', 'params', 'explain'] as const;
/** Flags that have no meaning for one expression, which is evaluated over one object. */
const NOT_OF_EXPRESSION = ['policies', 'old', 'output'] as const;

/** @throws UsageError for flags that mean nothing together */
export function requireSense(flags: VetFlags): void {
  for (const flag of NOT_OF_EXPRESSION)
    if (flags.expression !== undefined && flags[flag] !== undefined)
      throw new UsageError(`flag --${flag} cannot be used with --expression`);
  for (const flag of OF_POLICIES)
    if (flags.policies === undefined && flags[flag] !== undefined)
      throw new UsageError(`flag --${flag} needs --policies`);
  if (flags.groups !== undefined && flags.user === undefined)
    throw new UsageError('flag --groups needs --user');
  if (flags.explain && flags.output === 'sarif')
    throw new UsageError('flag --explain cannot be used with --output sarif, which has findings only');
}
