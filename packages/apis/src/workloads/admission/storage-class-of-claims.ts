import { type AdmissionPlugin, type AdmissionRequest, forbiddenByAdmission } from '@ashlar/admission';
import { type ApiObject, parseQuantity, type Vocabulary } from '@ashlar/core';
import { newestFirst, storedNamed, type WorkloadAdmissionOptions } from './stored-classes.ts';

interface Claim extends ApiObject {
  readonly spec?: {
    readonly storageClassName?: string;
    readonly resources?: { readonly requests?: Readonly<Record<string, string>> };
  };
  readonly status?: { readonly phase?: string };
}
interface StorageClass extends ApiObject {
  readonly allowVolumeExpansion?: boolean;
}

const isClaim = ({ resource, subresource }: AdmissionRequest): boolean =>
  resource.group === '' && resource.resource === 'persistentvolumeclaims' && subresource === '';

/** Gives claims that name no class the newest default class (semantics/admission). */
export function createDefaultStorageClass({ vocabulary, stored }: WorkloadAdmissionOptions): AdmissionPlugin {
  return {
    name: 'DefaultStorageClass',
    handles: (request) => request.operation === 'CREATE' && isClaim(request),
    async admit({ object }) {
      const claim = object as Claim;
      if (classNameOf(claim, vocabulary) !== undefined) return undefined;
      const [newest] = (await stored('storage.', 'storageclasses'))
        .filter((each) => isDefault(each, vocabulary))
        .sort(newestFirst);
      return newest && withClass(claim, newest.metadata.name as string);
    },
  };
}

/** Lets only bound claims grow, and only if their class allows it (semantics/admission). */
export function createClaimResize(options: WorkloadAdmissionOptions): AdmissionPlugin {
  const { vocabulary } = options;
  return {
    name: 'PersistentVolumeClaimResize',
    handles: (request) => request.operation === 'UPDATE' && isClaim(request),
    async validate(request) {
      const [claim, before] = [request.object as Claim, request.oldObject as Claim];
      if (!isLarger(claim, before)) return;
      if (before.status?.phase !== 'Bound')
        throw forbiddenByAdmission(request, 'Only bound persistent volume claims can be expanded');
      const name = classNameOf(claim, vocabulary);
      const isSame = name && name === classNameOf(before, vocabulary);
      const found = isSame ? await storedNamed(options, 'storage.', 'storageclasses', name) : undefined;
      if ((found as StorageClass | undefined)?.allowVolumeExpansion) return;
      throw forbiddenByAdmission(
        request,
        'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
      );
    },
  };
}

function isLarger(claim: Claim, before: Claim): boolean {
  const [size, was] = [sizeOf(claim), sizeOf(before)];
  return size !== undefined && was !== undefined && parseQuantity(size).compare(parseQuantity(was)) > 0;
}

const sizeOf = ({ spec }: Claim): string | undefined => spec?.resources?.requests?.storage;

const withClass = (claim: Claim, storageClassName: string): ApiObject =>
  ({ ...claim, spec: { ...claim.spec, storageClassName } }) as ApiObject;

/** The class that a claim names, in an annotation or in its spec; empty if it wants none. */
function classNameOf({ metadata, spec }: Claim, { labelDomain }: Vocabulary): string | undefined {
  return metadata.annotations?.[`volume.beta.${labelDomain}/storage-class`] ?? spec?.storageClassName;
}

function isDefault({ metadata }: ApiObject, { labelDomain }: Vocabulary): boolean {
  const { annotations = {} } = metadata;
  return ['', 'beta.'].some(
    (stage) => annotations[`storageclass.${stage}${labelDomain}/is-default-class`] === 'true',
  );
}
