import { AGGREGATION } from './flag-groups.ts';
import { text, toggle } from './flag-kinds.ts';
import type { FlagTableOf } from './flags.ts';

/** Flags of servers that are aggregated behind this one. */
export interface AggregationFlags {
  readonly 'proxy-client-cert-file'?: string;
  readonly 'proxy-client-key-file'?: string;
  readonly 'enable-aggregator-routing'?: boolean;
}

export const aggregationFlags: FlagTableOf<AggregationFlags> = {
  'proxy-client-cert-file': text(
    AGGREGATION,
    'FILE',
    'client certificate by which aggregated servers recognize this one, PEM; reloaded when it changes',
  ),
  'proxy-client-key-file': text(AGGREGATION, 'FILE', 'private key of --proxy-client-cert-file, PEM'),
  'enable-aggregator-routing': toggle(
    AGGREGATION,
    'reach services at one of their endpoints instead of their cluster IP (default false)',
  ),
};
