import type { AdmissionPlugin } from '@ashlar/admission';
import type { ApiObject, Vocabulary } from '@ashlar/core';

/** Gives new volumes and claims a finalizer, which controllers remove when nothing uses them any more (semantics/admission). */
export function createInUseProtection({ labelDomain }: Vocabulary): AdmissionPlugin {
  const finalizers: Readonly<Record<string, string>> = {
    persistentvolumes: `${labelDomain}/pv-protection`,
    persistentvolumeclaims: `${labelDomain}/pvc-protection`,
  };
  return {
    name: 'StorageObjectInUseProtection',
    handles: ({ resource, subresource, operation }) =>
      operation === 'CREATE' &&
      resource.group === '' &&
      subresource === '' &&
      Object.hasOwn(finalizers, resource.resource),
    admit: ({ resource, object }) => object && withFinalizer(object, finalizers[resource.resource] as string),
  };
}

function withFinalizer(object: ApiObject, finalizer: string): ApiObject | undefined {
  const { finalizers = [] } = object.metadata;
  if (finalizers.includes(finalizer)) return undefined;
  return { ...object, metadata: { ...object.metadata, finalizers: [...finalizers, finalizer] } };
}
