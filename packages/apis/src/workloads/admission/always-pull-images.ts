import { type AdmissionPlugin, type AdmissionRequest, forbiddenByAdmission } from '@ashlar/admission';
import { type ApiObject, type FieldError, FieldErrors, fieldErrorText } from '@ashlar/core';
import type { Pod, PodSpec } from '../core/pod-types.ts';
import type { Container } from '../pods/container-types.ts';

// ephemeral containers are written by an endpoint of their own, which release 1.32 does not look at
const LISTS = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** Has nodes pull the images of pods whenever they are started, so that each use is authorized. */
export function createAlwaysPullImages(): AdmissionPlugin {
  return {
    name: 'AlwaysPullImages',
    handles: (request) => isPod(request) && hasNewImage(request),
    admit: ({ object }) => withPolicy(object as Pod),
    validate(request) {
      const [error] = policyErrors((request.object as Pod).spec ?? {});
      if (error) throw forbiddenByAdmission(request, fieldErrorText(error));
    },
  };
}

const isPod = ({ resource, subresource, operation }: AdmissionRequest): boolean =>
  resource.group === '' &&
  resource.resource === 'pods' &&
  subresource === '' &&
  (operation === 'CREATE' || operation === 'UPDATE');

const containersOf = (spec: PodSpec = {}): readonly Container[] => LISTS.flatMap((list) => spec[list] ?? []);

function hasNewImage({ operation, object, oldObject }: AdmissionRequest): boolean {
  if (operation === 'CREATE') return true;
  const images = new Set(containersOf((oldObject as Pod).spec).map(({ image }) => image));
  return containersOf((object as Pod).spec).some(({ image }) => !images.has(image));
}

function withPolicy(pod: Pod): ApiObject {
  const { spec = {} } = pod;
  const always = (containers: readonly Container[]): readonly Container[] =>
    containers.map((container) => ({ ...container, imagePullPolicy: 'Always' }));
  const lists = LISTS.flatMap((list) => (spec[list] ? [[list, always(spec[list])] as const] : []));
  const volumes = spec.volumes?.map((volume) =>
    volume.image ? { ...volume, image: { ...volume.image, pullPolicy: 'Always' } } : volume,
  );
  return {
    ...pod,
    spec: { ...spec, ...Object.fromEntries(lists), ...(volumes && { volumes }) },
  } as ApiObject;
}

const policyErrors = (spec: PodSpec): readonly FieldError[] =>
  LISTS.flatMap((list) =>
    (spec[list] ?? []).flatMap(({ imagePullPolicy = '' }, i) =>
      imagePullPolicy === 'Always'
        ? []
        : [FieldErrors.notSupported(`spec.${list}[${i}].imagePullPolicy`, imagePullPolicy, ['Always'])],
    ),
  );
