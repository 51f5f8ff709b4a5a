import {
  choiceErrors,
  dns1123LabelErrors,
  type FieldError,
  FieldErrors,
  fieldErrorsOf,
  type JsonObject,
  kubernetesVocabulary,
} from '@ashlar/core';
import { follows, invalidWhen, NO_ERRORS, named, required, requiredWhen, within } from '../../field-rules.ts';
import { nonNegativeAmount } from '../../resources/resource-amounts.ts';
import { HOST_PATH_TYPES } from '../../shapes/shared/enumerations.ts';
import { ephemeralErrors } from './ephemeral-volumes.ts';
import { relativePath, withoutBacksteps } from './file-paths.ts';
import { azureDiskErrors, fcErrors, iscsiErrors, quobyteErrors } from './volume-disks.ts';
import { driverNameErrors, secretNameErrors } from './volume-drivers.ts';
import { configMapErrors, downwardApiErrors, projectedErrors, secretErrors } from './volume-files.ts';

// Sources of volumes, one rule each. Volumes of the cluster have most of them too.

/** Errors of a source at its path. */
export type SourceRule = (source: JsonObject, path: string) => readonly FieldError[];

interface VolumeSource {
  readonly name: string;
  readonly errorsOf: SourceRule;
  /** The name of the field in errors, if that is another. */
  readonly path?: string;
  /** The same in errors of sources that are one too many. */
  readonly forbiddenPath?: string;
}

const text = (source: JsonObject, field: string): string => String(source[field] ?? '');

/** Fields that must not be empty. */
export const needs =
  (...fields: readonly string[]): SourceRule =>
  (source, path) =>
    fields.flatMap((field) => required(`${path}.${field}`, source[field]));

/** All rules, one after another. */
export const every =
  (...rules: readonly SourceRule[]): SourceRule =>
  (source, path) =>
    rules.flatMap((rule) => rule(source, path));

/** A path of the host. */
export const hostPathErrors: SourceRule = (source, path) => {
  const target = text(source, 'path');
  if (target === '') return required(`${path}.path`, target);
  return [
    ...withoutBacksteps(`${path}.path`, target),
    ...choiceErrors(`${path}.type`, source.type as string | undefined, HOST_PATH_TYPES),
  ];
};

/** A partition of a disk: none is the whole. */
const partition: SourceRule = ({ partition = 0 }, path) => {
  const errors = within(`${path}.partition`, Number(partition), 0, 255);
  return errors.length === 0 ? errors : within(`${path}.partition`, Number(partition), 1, 255);
};

const nfs: SourceRule = (source, path) =>
  invalidWhen(
    !text(source, 'path').startsWith('/'),
    `${path}.path`,
    text(source, 'path'),
    'must be an absolute path',
  );

const flocker: SourceRule = (source, path) => {
  const [name, uuid] = [text(source, 'datasetName'), text(source, 'datasetUUID')];
  const both = 'datasetName and datasetUUID can not be specified simultaneously';
  return [
    ...requiredWhen(name === '' && uuid === '', path, 'one of datasetName and datasetUUID is required'),
    ...invalidWhen(name !== '' && uuid !== '', path, 'resource', both),
    ...invalidWhen(name.includes('/'), `${path}.datasetName`, name, "must not contain '/'"),
  ];
};

/** The secret of a source, if it has one, has a name. */
const namedSecret: SourceRule = ({ secretRef }, path) =>
  secretRef ? required(`${path}.secretRef.name`, (secretRef as JsonObject).name) : NO_ERRORS;

/** Reserved in every vocabulary, since drivers are shared with clusters. */
const RESERVED_DOMAINS: readonly string[] = [
  kubernetesVocabulary.labelDomain,
  kubernetesVocabulary.groupDomain,
];

/** A driver with options of its own. */
export const flexErrors: SourceRule = (source, path) => [
  ...required(`${path}.driver`, source.driver),
  ...fieldErrorsOf(Object.keys((source.options ?? {}) as JsonObject), (key) => {
    const domain = `.${key.split('/', 1)[0]?.toLowerCase()}`;
    const isReserved = RESERVED_DOMAINS.some((reserved) => domain.endsWith(`.${reserved}`));
    const why = `${RESERVED_DOMAINS.join(' and ')} namespaces are reserved`;
    return invalidWhen(isReserved, `${path}.options[${key}]`, key, why);
  }),
];

/** A volume of StorageOS, but for its secret. */
export const storageOsErrors: SourceRule = (source, path) => [
  ...named(`${path}.volumeName`, text(source, 'volumeName'), dns1123LabelErrors),
  ...(source.volumeNamespace
    ? follows(`${path}.volumeNamespace`, text(source, 'volumeNamespace'), dns1123LabelErrors)
    : NO_ERRORS),
];

/** The rules that volumes of pods and of the cluster have in common, by the name of the source. */
export const SHARED_SOURCES: Readonly<Record<string, SourceRule>> = {
  gcePersistentDisk: every(needs('pdName'), partition),
  awsElasticBlockStore: every(needs('volumeID'), partition),
  nfs: every(needs('server', 'path'), nfs),
  flocker,
  quobyte: quobyteErrors,
  fc: fcErrors,
  azureDisk: azureDiskErrors,
  vsphereVolume: needs('volumePath'),
  photonPersistentDisk: needs('pdID'),
  portworxVolume: needs('volumeID'),
  scaleIO: needs('gateway', 'system', 'volumeName'),
  rbd: needs('monitors', 'image'),
  cephfs: needs('monitors'),
};

const shared = (name: string, places: Pick<VolumeSource, 'path' | 'forbiddenPath'> = {}): VolumeSource => {
  const errorsOf = SHARED_SOURCES[name];
  if (!errorsOf) throw new TypeError(`no rule for volumes of source ${name}`);
  return { name, errorsOf, ...places };
};

/** The sources of volumes of pods, in the order in which they are looked at. */
export const VOLUME_SOURCES: readonly VolumeSource[] = [
  {
    name: 'emptyDir',
    errorsOf: ({ sizeLimit }, path) =>
      sizeLimit !== undefined && nonNegativeAmount(String(sizeLimit), path).length > 0
        ? [FieldErrors.forbidden(`${path}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')]
        : NO_ERRORS,
  },
  { name: 'hostPath', errorsOf: hostPathErrors },
  {
    name: 'gitRepo',
    errorsOf: every(needs('repository'), (source, path) =>
      relativePath(`${path}.directory`, text(source, 'directory')),
    ),
  },
  shared('gcePersistentDisk', { path: 'persistentDisk', forbiddenPath: 'gcePersistentDisk' }),
  shared('awsElasticBlockStore'),
  { name: 'secret', errorsOf: secretErrors },
  shared('nfs'),
  { name: 'iscsi', errorsOf: iscsiErrors },
  { name: 'glusterfs', errorsOf: needs('endpoints', 'path') },
  shared('flocker'),
  { name: 'persistentVolumeClaim', errorsOf: needs('claimName') },
  shared('rbd'),
  { name: 'cinder', errorsOf: every(needs('volumeID'), namedSecret) },
  shared('cephfs', { forbiddenPath: 'cephFS' }),
  shared('quobyte'),
  { name: 'downwardAPI', errorsOf: downwardApiErrors, forbiddenPath: 'downwarAPI' },
  shared('fc'),
  { name: 'flexVolume', errorsOf: flexErrors },
  { name: 'configMap', errorsOf: configMapErrors },
  { name: 'azureFile', errorsOf: needs('secretName', 'shareName') },
  shared('vsphereVolume'),
  shared('photonPersistentDisk'),
  shared('portworxVolume'),
  shared('azureDisk'),
  { name: 'storageos', errorsOf: every(storageOsErrors, namedSecret) },
  { name: 'projected', errorsOf: projectedErrors },
  shared('scaleIO'),
  {
    name: 'csi',
    errorsOf: (source, path) => [
      ...driverNameErrors(text(source, 'driver'), `${path}.driver`),
      ...secretNameErrors(source.nodePublishSecretRef as JsonObject | undefined, path),
    ],
  },
  { name: 'ephemeral', errorsOf: ephemeralErrors },
];
