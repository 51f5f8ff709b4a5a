import { type AdmissionFlags, admissionFlags } from './admission-flags.ts';
import { type AggregationFlags, aggregationFlags } from './aggregation-flags.ts';
import { type AnonymousFlags, anonymousFlags } from './anonymous-flags.ts';
import { type AuditFlags, auditFlags } from './audit-flags.ts';
import { type AuthenticationFlags, authenticationFlags } from './authentication-flags.ts';
import { type AuthorizationFlags, authorizationFlags } from './authorization-flags.ts';
import { type BrowserFlags, browserFlags } from './browser-flags.ts';
import { type CompatibilityFlags, compatibilityFlags } from './compatibility-flags.ts';
import { type ConnectionFlags, connectionFlags } from './connection-flags.ts';
import { type ControllerFlags, controllerFlags } from './controller-flags.ts';
import { type FeatureFlags, featureFlags } from './feature-flags.ts';
import type { FlagTableOf } from './flags.ts';
import { type LimitFlags, limitFlags } from './limit-flags.ts';
import { type ListenerFlags, listenerFlags } from './listener-flags.ts';
import { type LogFlags, logFlags } from './log-flags.ts';
import { type OidcFlags, oidcFlags } from './oidc-flags.ts';
import { type RequestHeaderFlags, requestHeaderFlags } from './request-header-flags.ts';
import { type ServiceAccountFlags, serviceAccountFlags } from './service-account-flags.ts';
import { type StorageFlags, storageFlags } from './storage-flags.ts';
import { type TokenWebhookFlags, tokenWebhookFlags } from './webhook-flags.ts';

/** Flags of `ashlar serve`. Durations are in milliseconds. */
export interface ServeFlags
  extends ListenerFlags,
    ConnectionFlags,
    BrowserFlags,
    StorageFlags,
    FeatureFlags,
    CompatibilityFlags,
    AuthenticationFlags,
    AnonymousFlags,
    OidcFlags,
    TokenWebhookFlags,
    RequestHeaderFlags,
    ServiceAccountFlags,
    AuthorizationFlags,
    AdmissionFlags,
    ControllerFlags,
    AggregationFlags,
    AuditFlags,
    LimitFlags,
    LogFlags {}

/**
 * The flags of `ashlar serve`, in the order in which help lists them. Each maps to an option of `createApiServer` or of the listener.
 */
export const serveFlags: FlagTableOf<ServeFlags> = {
  ...listenerFlags,
  ...connectionFlags,
  ...browserFlags,
  ...storageFlags,
  ...featureFlags,
  ...compatibilityFlags,
  ...authenticationFlags,
  ...anonymousFlags,
  ...oidcFlags,
  ...tokenWebhookFlags,
  ...requestHeaderFlags,
  ...serviceAccountFlags,
  ...authorizationFlags,
  ...admissionFlags,
  ...controllerFlags,
  ...aggregationFlags,
  ...auditFlags,
  ...limitFlags,
  ...logFlags,
};
