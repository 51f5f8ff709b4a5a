import type { Vocabulary } from '@ashlar/core';
import { firstWarnings } from '../../types/first-warnings.ts';
import { addressWarnings, cidrWarnings } from '../addresses/address-warnings.ts';
import { hasClusterIP, isHeadless, type Service } from './service-types.ts';

/** Warnings of a service (semantics/verbs#addresses-of-services). */
export const serviceWarnings =
  (vocabulary: Vocabulary) =>
  ({ metadata, spec = {} }: Service): readonly string[] => {
    const { labelDomain } = vocabulary;
    const hints = `service.${labelDomain}/topology-aware-hints`;
    const isHinted = metadata.annotations?.[hints] !== undefined;
    const isExternal = spec.type === 'ExternalName';
    const each = (
      field: string,
      values: readonly string[] | undefined,
      warn: typeof addressWarnings,
    ): readonly string[] =>
      firstWarnings((values ?? []).entries(), ([index, value]) =>
        warn(`spec.${field}[${index}]`, value, vocabulary),
      );
    return [
      ...(isHinted
        ? [`annotation ${hints} is deprecated, please use service.${labelDomain}/topology-mode instead`]
        : []),
      ...(hasClusterIP(spec) && !isHeadless(spec)
        ? each('clusterIPs', spec.clusterIPs, addressWarnings)
        : []),
      ...each('externalIPs', spec.externalIPs, addressWarnings),
      ...(spec.loadBalancerIP ? addressWarnings('spec.loadBalancerIP', spec.loadBalancerIP, vocabulary) : []),
      ...each('loadBalancerSourceRanges', spec.loadBalancerSourceRanges, cidrWarnings),
      ...(isExternal && spec.externalIPs?.length
        ? ['spec.externalIPs is ignored when spec.type is "ExternalName"']
        : []),
      ...(!isExternal && spec.externalName
        ? ['spec.externalName is ignored when spec.type is not "ExternalName"']
        : []),
    ];
  };
