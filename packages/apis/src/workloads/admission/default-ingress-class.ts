import type { AdmissionPlugin } from '@ashlar/admission';
import { type ApiObject, groupName } from '@ashlar/core';
import { newestFirst, type WorkloadAdmissionOptions } from './stored-classes.ts';

interface ClassedIngress extends ApiObject {
  readonly spec?: { readonly ingressClassName?: string };
}

/** Gives new ingresses that name no class the newest default class (semantics/admission#default-plugins). */
export function createDefaultIngressClass({ vocabulary, stored }: WorkloadAdmissionOptions): AdmissionPlugin {
  const group = groupName(vocabulary, 'networking.');
  const { labelDomain } = vocabulary;
  return {
    name: 'DefaultIngressClass',
    handles: ({ resource, subresource, operation }) =>
      operation === 'CREATE' &&
      resource.group === group &&
      resource.resource === 'ingresses' &&
      subresource === '',
    async admit({ object }) {
      const ingress = object as ClassedIngress;
      const isDeclared =
        ingress.spec?.ingressClassName !== undefined ||
        ingress.metadata.annotations?.[`${labelDomain}/ingress.class`] !== undefined;
      if (isDeclared) return undefined;
      const isDefault = ({ metadata }: ApiObject): boolean =>
        metadata.annotations?.[`ingressclass.${labelDomain}/is-default-class`] === 'true';
      const [newest] = (await stored('networking.', 'ingressclasses')).filter(isDefault).sort(newestFirst);
      if (!newest) return undefined;
      const spec = { ...ingress.spec, ingressClassName: newest.metadata.name };
      return { ...ingress, spec } as ApiObject;
    },
  };
}
