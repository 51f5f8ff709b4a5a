import { groupName, type Vocabulary } from '@ashlar/core';
import type { ResourceDialect } from '@ashlar/registry';
import type { KindMarker } from './kind-marker.ts';

/**
 * The groups, each with its versions, in which release 1.32 knows the kinds that all groups have, DeleteOptions and WatchEvent; among
 * them versions that it no longer serves.
 */
const GROUPS = [
  'admission./v1,v1beta1',
  'admissionregistration./v1,v1alpha1,v1beta1',
  'apiextensions./v1,v1beta1',
  'apiregistration./v1,v1beta1',
  'apps/v1,v1beta1,v1beta2',
  'authentication./v1,v1alpha1,v1beta1',
  'authorization./v1,v1beta1',
  'autoscaling/v1,v2,v2beta1,v2beta2',
  'batch/v1,v1beta1',
  'certificates./v1,v1alpha1,v1beta1',
  'coordination./v1,v1alpha2,v1beta1',
  'discovery./v1,v1beta1',
  'events./v1,v1beta1',
  'extensions/v1beta1',
  'flowcontrol.apiserver./v1,v1beta1,v1beta2,v1beta3',
  'imagepolicy./v1alpha1',
  'internal.apiserver./v1alpha1',
  'networking./v1,v1alpha1,v1beta1',
  'node./v1,v1alpha1,v1beta1',
  'policy/v1,v1beta1',
  'rbac.authorization./v1,v1alpha1,v1beta1',
  'resource./v1alpha3,v1beta1',
  'scheduling./v1,v1alpha1,v1beta1',
  'storage./v1,v1alpha1,v1beta1',
  'storagemigration./v1alpha1',
];

/** Groups that custom types do not know. */
const OF_THE_SERVER = /^(admission|apiextensions|apiregistration|imagepolicy)\./;

/**
 * Returns a kind that all groups have in all of them (semantics/discovery#openapi).
 * @param own a group version of the server, which may be none of Kubernetes
 */
export function inAllGroups(
  kind: string,
  dialect: ResourceDialect,
  vocabulary: Vocabulary,
  own: KindMarker,
): readonly KindMarker[] {
  const known = GROUPS.filter((each) => dialect === 'built-in' || !OF_THE_SERVER.test(each));
  const markers = known.flatMap((each) => {
    const [group = '', versions = ''] = each.split('/');
    return versions.split(',').map((version) => ({ group: groupName(vocabulary, group), version, kind }));
  });
  const isKnown = markers.some(({ group, version }) => group === own.group && version === own.version);
  const core = { group: '', version: 'v1', kind };
  const isOwnShown = dialect === 'built-in' && own.group !== '' && !isKnown;
  return [core, ...markers, ...(isOwnShown ? [{ group: own.group, version: own.version, kind }] : [])];
}
