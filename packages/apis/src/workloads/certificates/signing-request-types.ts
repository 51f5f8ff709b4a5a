import type { ApiObject } from '@ashlar/core';
import type { Condition } from '../core/pod-types.ts';

/** The result of a request. */
export interface RequestCondition extends Condition {
  readonly lastUpdateTime?: string | null;
  readonly lastTransitionTime?: string | null;
}

/** Requests a certificate from a signer. */
export interface SigningRequest extends ApiObject {
  readonly spec?: {
    readonly request?: string | null;
    readonly signerName?: string;
    readonly expirationSeconds?: number;
    readonly usages?: readonly string[];
    readonly username?: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
  readonly status?: { readonly conditions?: readonly RequestCondition[]; readonly certificate?: string };
}
