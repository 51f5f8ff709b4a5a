/** Admission plugins that run by default and can be disabled, in their order. */
export const DEFAULT_ADMISSION_PLUGINS = [
  'NamespaceLifecycle',
  'TaintNodesByCondition',
  'Priority',
  'DefaultTolerationSeconds',
  'DefaultStorageClass',
  'StorageObjectInUseProtection',
  'PersistentVolumeClaimResize',
  'RuntimeClass',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionWebhook',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionWebhook',
] as const;

/** The name of an admission plugin that runs by default. */
export type DefaultAdmissionPlugin = (typeof DEFAULT_ADMISSION_PLUGINS)[number];

export const isDefaultAdmissionPlugin = (name: unknown): name is DefaultAdmissionPlugin =>
  (DEFAULT_ADMISSION_PLUGINS as readonly unknown[]).includes(name);
