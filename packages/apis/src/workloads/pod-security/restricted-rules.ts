import { addedText, type SecurityRule, seccompProfile } from './baseline-rules.ts';
import {
  containersText,
  plural,
  quoted,
  type SecuredContainer,
  settersText,
  sortedSet,
} from './secured-pod.ts';

/** Pods of Windows need not obey a rule. */
export const unlessWindows =
  (rule: SecurityRule): SecurityRule =>
  (pod) =>
    pod.spec.os?.name === 'windows' ? undefined : rule(pod);

export const noEscalation: SecurityRule = ({ containers }) => {
  const bad = containers.filter(({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false);
  if (bad.length === 0) return undefined;
  return {
    reason: 'allowPrivilegeEscalation != false',
    detail: `${containersText(bad)} must set securityContext.allowPrivilegeEscalation=false`,
  };
};

export const droppedCapabilities: SecurityRule = ({ containers }) => {
  const keeping = containers.filter(
    ({ securityContext }) => !securityContext?.capabilities?.drop?.includes('ALL'),
  );
  const added = ({ securityContext }: SecuredContainer): readonly string[] =>
    (securityContext?.capabilities?.add ?? []).filter((name) => name !== 'NET_BIND_SERVICE');
  const adding = containers.filter((each) => added(each).length > 0);
  const details = [
    ...(keeping.length > 0
      ? [`${containersText(keeping)} must set securityContext.capabilities.drop=["ALL"]`]
      : []),
    ...(adding.length > 0 ? [addedText(adding, added)] : []),
  ];
  if (details.length === 0) return undefined;
  return { reason: 'unrestricted capabilities', detail: details.join('; ') };
};

const ALLOWED_VOLUMES = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
];
const OTHER_VOLUMES = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'gitRepo',
  'nfs',
  'iscsi',
  'glusterfs',
  'rbd',
  'flexVolume',
  'cinder',
  'cephfs',
  'flocker',
  'fc',
  'azureFile',
  'vsphereVolume',
  'quobyte',
  'azureDisk',
  'photonPersistentDisk',
  'portworxVolume',
  'scaleIO',
  'storageos',
];

export const restrictedVolumes: SecurityRule = ({ spec }) => {
  const bad = (spec.volumes ?? []).filter((volume) => !ALLOWED_VOLUMES.some((type) => volume[type]));
  if (bad.length === 0) return undefined;
  const types = sortedSet(bad.map((volume) => OTHER_VOLUMES.find((type) => volume[type]) ?? 'unknown'));
  const names = quoted(bad.map(({ name = '' }) => name));
  const uses = plural(bad.length, 'uses', 'use');
  return {
    reason: 'restricted volume types',
    detail: `${plural(bad.length, 'volume')} ${names} ${uses} ${plural(types.length, 'restricted volume type')} ${quoted(types)}`,
  };
};

export const runAsNonRoot: SecurityRule = ({ spec, containers }) => {
  const reason = 'runAsNonRoot != true';
  const ofPod = spec.securityContext?.runAsNonRoot;
  const runAsNonRootOf = ({ securityContext }: SecuredContainer): boolean | undefined =>
    securityContext?.runAsNonRoot;
  const who = settersText(
    ofPod === false,
    containers.filter((each) => runAsNonRootOf(each) === false),
  );
  if (who) return { reason, detail: `${who} must not set securityContext.runAsNonRoot=false` };
  const silent = ofPod ? [] : containers.filter((each) => runAsNonRootOf(each) === undefined);
  if (silent.length === 0) return undefined;
  return { reason, detail: `pod or ${containersText(silent)} must set securityContext.runAsNonRoot=true` };
};

export const runAsUser: SecurityRule = ({ spec, containers }) => {
  const bad = containers.filter(({ securityContext }) => securityContext?.runAsUser === 0);
  const who = settersText(spec.securityContext?.runAsUser === 0, bad);
  return who === undefined ? undefined : { reason: 'runAsUser=0', detail: `${who} must not set runAsUser=0` };
};

export const requiredSeccompProfile: SecurityRule = (pod) => {
  const wrong = seccompProfile(pod);
  if (wrong || pod.spec.securityContext?.seccompProfile) return wrong;
  const silent = pod.containers.filter(({ securityContext }) => !securityContext?.seccompProfile);
  if (silent.length === 0) return undefined;
  const detail = `pod or ${containersText(silent)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`;
  return { reason: 'seccompProfile', detail };
};
