import type { AdmissionPlugin } from '@ashlar/admission';

/**
 * The built-in admission plugins in the order in which they are called (semantics/admission#plugin-order), and whether they run by
 * default. Those that run always cannot be named: they are rules of kinds.
 */
const PLUGINS = {
  NamespaceAutoProvision: 'opt-in',
  NamespaceLifecycle: 'default',
  NamespaceExists: 'opt-in',
  LimitPodHardAntiAffinityTopology: 'opt-in',
  LimitRanger: 'default',
  ServiceAccount: 'default',
  NodeRestriction: 'opt-in',
  TaintNodesByCondition: 'default',
  AlwaysPullImages: 'opt-in',
  ImagePolicyWebhook: 'opt-in',
  PodSecurity: 'default',
  PodNodeSelector: 'opt-in',
  Priority: 'default',
  DefaultTolerationSeconds: 'default',
  PodTolerationRestriction: 'opt-in',
  EventRateLimit: 'opt-in',
  ExtendedResourceToleration: 'opt-in',
  DefaultStorageClass: 'default',
  StorageObjectInUseProtection: 'default',
  OwnerReferencesPermissionEnforcement: 'opt-in',
  PersistentVolumeClaimResize: 'default',
  RuntimeClass: 'default',
  CertificateRequests: 'always',
  CertificateApproval: 'default',
  CertificateSigning: 'default',
  CertificateSubjectRestriction: 'default',
  DefaultIngressClass: 'default',
  DenyServiceExternalIPs: 'opt-in',
  PolicyPermission: 'always',
  MutatingAdmissionPolicy: 'default',
  MutatingAdmissionWebhook: 'default',
  ValidatingAdmissionPolicy: 'default',
  ValidatingAdmissionWebhook: 'default',
  ResourceQuota: 'default',
} as const;

type Plugins = typeof PLUGINS;
type NamesOf<U> = { [N in keyof Plugins]: Plugins[N] extends U ? N : never }[keyof Plugins];

/** The name of an admission plugin that runs by default. */
export type DefaultAdmissionPlugin = NamesOf<'default'>;

/** The name of an admission plugin that runs only if it is enabled. */
export type OptInAdmissionPlugin = NamesOf<'opt-in'>;

const NAMES = Object.keys(PLUGINS) as readonly (keyof Plugins)[];

/** Admission plugins that run by default and can be disabled, in their order. */
export const DEFAULT_ADMISSION_PLUGINS: readonly DefaultAdmissionPlugin[] =
  NAMES.filter(isDefaultAdmissionPlugin);

/** Admission plugins that can be enabled, in their order. */
export const OPT_IN_ADMISSION_PLUGINS: readonly OptInAdmissionPlugin[] = NAMES.filter(isOptInAdmissionPlugin);

export function isDefaultAdmissionPlugin(name: unknown): name is DefaultAdmissionPlugin {
  return useOf(name) === 'default';
}

export function isOptInAdmissionPlugin(name: unknown): name is OptInAdmissionPlugin {
  return useOf(name) === 'opt-in';
}

function useOf(name: unknown): Plugins[keyof Plugins] | undefined {
  return typeof name === 'string' && Object.hasOwn(PLUGINS, name)
    ? PLUGINS[name as keyof Plugins]
    : undefined;
}

/** Plugins that do nothing without a configuration. */
export const CONFIGURED_PLUGINS = ['EventRateLimit', 'ImagePolicyWebhook'] as const;

/** Which of the built-in plugins run, in their order. */
export function selectPlugins(
  plugins: readonly AdmissionPlugin[],
  enabled: readonly OptInAdmissionPlugin[],
  disabled: readonly DefaultAdmissionPlugin[],
): readonly AdmissionPlugin[] {
  const position = new Map<string, number>(NAMES.map((name, index) => [name, index]));
  const isOn = ({ name }: AdmissionPlugin): boolean =>
    isOptInAdmissionPlugin(name)
      ? enabled.includes(name)
      : !isDefaultAdmissionPlugin(name) || !disabled.includes(name);
  return plugins
    .filter(isOn)
    .sort((a, b) => (position.get(a.name) as number) - (position.get(b.name) as number));
}
