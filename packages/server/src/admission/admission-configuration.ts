import type {
  EventLimit,
  ImagePolicy,
  LimitedResource,
  PodSecurityConfiguration,
  Toleration,
} from '@ashlar/apis';
import type { Transport, Vocabulary } from '@ashlar/core';

/** What admission plugins can be configured with. */
export interface AdmissionConfiguration {
  readonly PodSecurity?: PodSecurityConfiguration;
  /** Node selectors by namespace, such as `a=b`; `clusterDefaultNodeSelector` for those without one. */
  readonly PodNodeSelector?: Readonly<Record<string, string>>;
  /** Tolerations that pods get and may have in namespaces that say nothing else. */
  readonly PodTolerationRestriction?: {
    readonly default?: readonly Toleration[];
    readonly whitelist?: readonly Toleration[];
  };
  /** How long pods stay on a node that fails, in seconds; not from a file. Default 300 each. */
  readonly DefaultTolerationSeconds?: { readonly notReady?: number; readonly unreachable?: number };
  /** How many events are admitted. The plugin needs it. */
  readonly EventRateLimit?: { readonly limits: readonly EventLimit[] };
  /** The webhook that reviews images of pods. The plugin requires it. */
  readonly ImagePolicyWebhook?: ImagePolicy;
  /** What may be used only where a quota limits it. */
  readonly ResourceQuota?: { readonly limitedResources?: readonly LimitedResource[] };
  readonly MutatingAdmissionWebhook?: WebhookCredentials;
  readonly ValidatingAdmissionWebhook?: WebhookCredentials;
}

/** How a server authenticates to admission webhooks. */
export interface WebhookCredentials {
  /** Returns the transport for a server, such as `hook.n.svc:443`, if it is not the one for all. */
  transportTo(server: string): Transport | undefined;
}

export interface ReadConfigurationOptions {
  readonly vocabulary: Vocabulary;
  /** Reads a file that a configuration names, relative to its own. @throws Error */
  readonly readFile: (path: string) => Uint8Array;
  /** Opens a client configuration file: the cluster and user of its current context. @throws Error */
  readonly openConnection: (file: string) => Pick<ImagePolicy, 'url' | 'transport'>;
  /** Opens a client configuration file whose users are named like servers of webhooks. @throws Error */
  readonly openUsers: (file: string) => WebhookCredentials['transportTo'];
}
