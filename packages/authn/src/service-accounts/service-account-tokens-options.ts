import type { Ambient, ApiObject } from '@ashlar/core';
import type { BoundObjectLookup } from './named-objects.ts';
import type { ServiceAccountKey } from './service-account-keys.ts';

export interface ServiceAccountTokensOptions {
  readonly ambient: Pick<Ambient, 'clock' | 'turns' | 'vocabulary'>;
  /** Accepted issuers; the first one is this server. */
  readonly issuers: readonly string[];
  readonly keys: readonly ServiceAccountKey[];
  readonly apiAudiences: readonly string[];
  readonly lookup: BoundObjectLookup;
  /**
   * Whether tokens of secrets end with their secret; default true. Other tokens always end with the objects
   * that they are bound to.
   */
  readonly lookUpLegacy?: boolean;
  /** Called with a secret whose token was used, with those that are marked invalid too. */
  secretUsed?(secret: ApiObject): void;
}
