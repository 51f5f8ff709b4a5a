import {
  choiceErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  FieldErrors,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  parseQuantity,
  type Vocabulary,
} from '@ashlar/core';
import {
  eachEntry,
  forbiddenWhen,
  invalidWhen,
  NO_ERRORS,
  named,
  optionalFollows,
  required,
  requiredWhen,
  unchanged,
} from '../field-rules.ts';
import type { ResourceList } from '../pods/container-types.ts';
import { nodeSelectorErrors } from '../pods/node-selectors.ts';
import type { NodeSelector } from '../pods/placement-types.ts';
import { isRootPath, withoutBacksteps } from '../pods/volumes/file-paths.ts';
import { iscsiVolumeErrors } from '../pods/volumes/volume-disks.ts';
import { driverNameErrors } from '../pods/volumes/volume-drivers.ts';
import {
  every,
  flexErrors,
  hostPathErrors,
  needs,
  SHARED_SOURCES,
  type SourceRule,
  storageOsErrors,
} from '../pods/volumes/volume-sources.ts';
import { positiveAmount } from '../resources/resource-amounts.ts';
import { RECLAIM_POLICIES } from '../shapes/shared/enumerations.ts';
import { changedClassErrors, volumeClassErrors } from '../storage/attribute-classes.ts';
import { isSameNodeAffinity } from '../storage/moved-node-affinity.ts';
import { accessModesErrors } from './claim-validation.ts';

/** The spec of a volume of the cluster. */
export interface VolumeSpec {
  readonly capacity?: ResourceList;
  readonly accessModes?: readonly string[] | null;
  readonly claimRef?: { readonly namespace?: string; readonly name?: string };
  readonly persistentVolumeReclaimPolicy?: string;
  readonly storageClassName?: string;
  readonly volumeMode?: string;
  readonly volumeAttributesClassName?: string;
  readonly nodeAffinity?: { readonly required?: NodeSelector };
  readonly [source: string]: unknown;
}

/** Secrets of volumes of the cluster are in a namespace. */
const secret =
  (field: string): SourceRule =>
  (source, path) => {
    const reference = source[field] as JsonObject | undefined;
    if (!reference) return NO_ERRORS;
    return [
      ...named(`${path}.${field}.name`, reference.name as string | undefined, dns1123SubdomainErrors),
      ...named(`${path}.${field}.namespace`, reference.namespace as string | undefined, dns1123LabelErrors),
    ];
  };

/** The same, of which only the presence is looked at. */
const presentSecret: SourceRule = ({ secretRef }, path) =>
  secretRef ? needs('name', 'namespace')(secretRef as JsonObject, `${path}.secretRef`) : NO_ERRORS;

const glusterfs: SourceRule = (source, path) => {
  const { endpointsNamespace: namespace } = source;
  const why = 'if the endpointnamespace is set, it must be a valid namespace name';
  return [
    ...needs('endpoints', 'path')(source, path),
    ...invalidWhen(namespace === '', `${path}.endpointsNamespace`, namespace, why),
    ...optionalFollows(`${path}.endpointsNamespace`, namespace as string | undefined, dns1123LabelErrors),
  ];
};

const local: SourceRule = (source, path) =>
  source.path ? withoutBacksteps(`${path}.path`, String(source.path)) : required(`${path}.path`, source.path);

const azureFile: SourceRule = (source, path) => [
  ...needs('secretName', 'shareName')(source, path),
  ...requiredWhen(source.secretNamespace === '', `${path}.secretNamespace`),
];

const csi: SourceRule = every(
  (source, path) => driverNameErrors(String(source.driver ?? ''), `${path}.driver`),
  needs('volumeHandle'),
  secret('controllerPublishSecretRef'),
  secret('controllerExpandSecretRef'),
  secret('nodePublishSecretRef'),
  secret('nodeExpandSecretRef'),
);

const shared = (name: string): SourceRule => {
  const rule = SHARED_SOURCES[name];
  if (!rule) throw new TypeError(`no rule for volumes of source ${name}`);
  return rule;
};

interface ClusterSource {
  readonly name: string;
  errorsOf(source: JsonObject, path: string, volume: string): readonly FieldError[];
  readonly path?: string;
  readonly forbiddenPath?: string;
}

/** The sources of volumes of the cluster, in the order in which they are looked at. */
const SOURCES: readonly ClusterSource[] = [
  { name: 'hostPath', errorsOf: hostPathErrors },
  {
    name: 'gcePersistentDisk',
    errorsOf: shared('gcePersistentDisk'),
    path: 'persistentDisk',
    forbiddenPath: 'gcePersistentDisk',
  },
  { name: 'awsElasticBlockStore', errorsOf: shared('awsElasticBlockStore') },
  { name: 'glusterfs', errorsOf: glusterfs },
  { name: 'flocker', errorsOf: shared('flocker') },
  { name: 'nfs', errorsOf: shared('nfs') },
  { name: 'rbd', errorsOf: shared('rbd') },
  { name: 'quobyte', errorsOf: shared('quobyte') },
  { name: 'cephfs', errorsOf: shared('cephfs'), forbiddenPath: 'cephFS' },
  { name: 'iscsi', errorsOf: iscsiVolumeErrors },
  { name: 'cinder', errorsOf: every(needs('volumeID'), presentSecret) },
  { name: 'fc', errorsOf: shared('fc') },
  { name: 'flexVolume', errorsOf: flexErrors },
  { name: 'azureFile', errorsOf: azureFile },
  { name: 'vsphereVolume', errorsOf: shared('vsphereVolume') },
  { name: 'photonPersistentDisk', errorsOf: shared('photonPersistentDisk') },
  { name: 'portworxVolume', errorsOf: shared('portworxVolume') },
  { name: 'azureDisk', errorsOf: shared('azureDisk') },
  { name: 'scaleIO', errorsOf: shared('scaleIO') },
  { name: 'local', errorsOf: local },
  { name: 'storageos', errorsOf: every(storageOsErrors, presentSecret) },
  { name: 'csi', errorsOf: csi },
];

/** Errors of a volume of the cluster. @param name its name */
export function volumeSpecErrors(spec: VolumeSpec, name: string): readonly FieldError[] {
  const { capacity = {}, accessModes, nodeAffinity } = spec;
  return [
    ...requiredWhen(!accessModes?.length, 'spec.accessModes'),
    ...accessModesErrors(accessModes ?? [], 'spec.accessModes'),
    ...capacityErrors(capacity),
    ...optionalPolicy(spec.persistentVolumeReclaimPolicy),
    ...(nodeAffinity ? affinityErrors(nodeAffinity) : NO_ERRORS),
    ...sourcesErrors(spec, { path: 'spec', name, hasAffinity: nodeAffinity !== undefined }),
    ...optionalFollows('spec.storageClassName', spec.storageClassName, dns1123SubdomainErrors),
    ...choiceErrors('spec.volumeMode', spec.volumeMode, ['Block', 'Filesystem']),
    ...volumeClassErrors(spec),
  ];
}

/** Errors of a volume that an attachment describes itself, and that only its driver knows. */
export function inlineVolumeErrors(spec: VolumeSpec, path: string): readonly FieldError[] {
  const { accessModes, capacity = {}, persistentVolumeReclaimPolicy: policy, volumeMode } = spec;
  const nowhere = 'may not be specified in the context of inline volumes';
  const modes = 'may not specify volumeMode other than Filesystem in the context of inline volumes';
  const forbidden = (isSet: boolean, name: string, why: string = nowhere): readonly FieldError[] =>
    forbiddenWhen(isSet, `${path}.${name}`, why);
  return [
    ...forbidden(spec.claimRef !== undefined, 'claimRef'),
    ...forbidden(Object.keys(capacity).length > 0, 'capacity'),
    ...requiredWhen(!spec.csi, `${path}.csi`, 'has to be specified in the context of inline volumes'),
    ...requiredWhen(!accessModes?.length, `${path}.accessModes`),
    ...accessModesErrors(accessModes ?? [], `${path}.accessModes`),
    ...forbidden(
      Boolean(policy) && policy !== 'Retain',
      'persistentVolumeReclaimPolicy',
      'may only be Retain in the context of inline volumes',
    ),
    ...forbidden(spec.nodeAffinity !== undefined, 'nodeAffinity'),
    ...sourcesErrors(spec, { path, name: '', hasAffinity: false }),
    ...forbidden(Boolean(spec.storageClassName), 'storageClassName'),
    ...forbidden(volumeMode !== undefined && volumeMode !== 'Filesystem', 'volumeMode', modes),
  ];
}

const optionalPolicy = (policy: string | undefined): readonly FieldError[] =>
  policy ? choiceErrors('spec.persistentVolumeReclaimPolicy', policy, RECLAIM_POLICIES) : NO_ERRORS;

function capacityErrors(capacity: ResourceList): readonly FieldError[] {
  const names = Object.keys(capacity);
  return [
    ...requiredWhen(names.length === 0, 'spec.capacity'),
    ...(capacity.storage === undefined || names.length > 1
      ? [FieldErrors.notSupported('spec.capacity', capacity, ['storage'])]
      : NO_ERRORS),
    ...eachEntry(capacity, (name, amount) => {
      const value = parseQuantity(amount).value();
      const path = `spec.capacity[${name}]`;
      return [
        ...invalidWhen(value < 0n, path, value, 'must be a valid resource quantity'),
        ...positiveAmount(amount, path),
      ];
    }),
  ];
}

function affinityErrors({ required: terms }: NonNullable<VolumeSpec['nodeAffinity']>): readonly FieldError[] {
  const path = 'spec.nodeAffinity.required';
  return terms
    ? nodeSelectorErrors(terms, path)
    : requiredWhen(true, path, 'must specify required node constraints');
}

interface VolumePlace {
  readonly path: string;
  readonly name: string;
  readonly hasAffinity: boolean;
}

/** Drivers with options of their own count beside others. */
function sourcesErrors(
  spec: VolumeSpec,
  { path: at, name: volume, hasAffinity }: VolumePlace,
): readonly FieldError[] {
  let count = 0;
  const errors = SOURCES.flatMap(({ name, errorsOf, path = name, forbiddenPath = path }) => {
    const source = spec[name] as JsonObject | undefined;
    if (!source) return NO_ERRORS;
    const isMore = count++ > 0 && name !== 'flexVolume';
    return isMore
      ? forbiddenWhen(true, `${at}.${forbiddenPath}`, 'may not specify more than 1 volume type')
      : [
          ...errorsOf(source, `${at}.${path}`, volume),
          ...requiredWhen(
            name === 'local' && !hasAffinity,
            `${at}.nodeAffinity`,
            'Local volume requires node affinity',
          ),
        ];
  });
  const { path = '' } = (spec.hostPath ?? {}) as { readonly path?: string };
  const isRoot = isRootPath(path) && spec.persistentVolumeReclaimPolicy === 'Recycle';
  return [
    ...errors,
    ...requiredWhen(count === 0, at, 'must specify a volume type'),
    ...forbiddenWhen(
      isRoot,
      `${at}.persistentVolumeReclaimPolicy`,
      "may not be 'recycle' for a hostPath mount of '/'",
    ),
  ];
}

/** Errors of a changed volume of the cluster, besides those of its new form. */
export function volumeChangeErrors(
  spec: VolumeSpec,
  was: VolumeSpec,
  vocabulary: Vocabulary,
): readonly FieldError[] {
  const isMore = secretOf(was) === undefined && was.csi !== undefined;
  const parts = (one: VolumeSpec): JsonValue =>
    Object.fromEntries(
      SOURCES.map(({ name }) => [
        name,
        (name === 'csi' && isMore ? withoutSecret(one) : one[name]) as JsonValue,
      ]),
    );
  return [
    ...forbiddenWhen(
      !jsonEqual(parts(spec), parts(was)),
      'spec.persistentvolumesource',
      'spec.persistentvolumesource is immutable after creation\n',
    ),
    ...unchanged('volumeMode', spec.volumeMode, was.volumeMode),
    ...invalidWhen(
      was.nodeAffinity !== undefined && !isSameNodeAffinity(spec.nodeAffinity, was.nodeAffinity, vocabulary),
      'nodeAffinity',
      spec.nodeAffinity,
      'field is immutable, except for updating from beta label to GA',
    ),
    ...changedClassErrors(spec, was, 'change'),
  ];
}

const secretOf = ({ csi }: VolumeSpec): unknown => (csi as JsonObject | undefined)?.controllerExpandSecretRef;

/** A secret to grow the volume can be added later. */
function withoutSecret({ csi }: VolumeSpec): unknown {
  if (!csi) return csi;
  const { controllerExpandSecretRef: _, ...rest } = csi as JsonObject;
  return rest;
}
