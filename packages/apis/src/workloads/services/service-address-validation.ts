import { choiceErrors, type FieldError, FieldErrors, validateIpAddress } from '@ashlar/core';
import { ipFamilyOf } from '../addresses/address-range.ts';
import { each } from '../field-rules.ts';
import { FAMILY_POLICIES } from '../shapes/shared/enumerations.ts';
import { isHeadless, type ServiceSpec } from './service-types.ts';

const FAMILIES = ['IPv4', 'IPv6'];
/** Errors of the fields that say which addresses a service has. */
export function addressErrors(spec: ServiceSpec): readonly FieldError[] {
  const { type, clusterIPs = [], ipFamilies = [], ipFamilyPolicy } = spec;
  if (type === 'ExternalName') return [];
  const path = 'spec.clusterIPs';
  const invalid = (why: string): FieldError => FieldErrors.invalid(path, clusterIPs, why);
  const malformed = each(path, clusterIPs, (ip, at, index) =>
    index === 0 && ip === 'None'
      ? clusterIPs.length > 1
        ? [invalid("'None' must be the first and only value")]
        : []
      : validateIpAddress(at, ip),
  );
  return [
    ...matchErrors(spec, invalid),
    ...each('spec.ipFamilies', ipFamilies, (family, at, index) => [
      ...choiceErrors(at, family, FAMILIES),
      // empty ones count too
      ...(ipFamilies.indexOf(family) < index ? [FieldErrors.duplicate(at, family)] : []),
    ]),
    ...(ipFamilyPolicy === undefined || FAMILY_POLICIES.includes(ipFamilyPolicy)
      ? []
      : [FieldErrors.notSupported('spec.ipFamilyPolicy', ipFamilyPolicy, FAMILY_POLICIES)]),
    ...malformed,
    ...(clusterIPs.length > 2 ? [invalid('may only hold up to 2 values')] : []),
    ...(malformed.length > 0 ? [] : familyErrors(spec, invalid)),
  ];
}

function matchErrors(
  { clusterIP, clusterIPs = [] }: ServiceSpec,
  invalid: (why: string) => FieldError,
): readonly FieldError[] {
  if (!clusterIP)
    return clusterIPs.length > 0 ? [invalid('must be empty when `clusterIP` is not specified')] : [];
  if (clusterIPs.length === 0) return [FieldErrors.required('spec.clusterIPs')];
  return clusterIPs[0] === clusterIP ? [] : [invalid('first value must match `clusterIP`')];
}

function familyErrors(spec: ServiceSpec, invalid: (why: string) => FieldError): readonly FieldError[] {
  const { clusterIPs = [], ipFamilies = [] } = spec;
  const families = clusterIPs.map(ipFamilyOf);
  const isDual = new Set(families).size === 2;
  return [
    ...(clusterIPs.length > 1 && !isDual
      ? [invalid('may specify no more than one IP for each IP family')]
      : []),
    ...(isHeadless(spec)
      ? []
      : each('spec.clusterIPs', clusterIPs.slice(0, ipFamilies.length), (ip, at, index) => {
          const family = ipFamilies[index] as string;
          if (!FAMILIES.includes(family) || family === families[index]) return [];
          const why = `expected an ${family} value as indicated by \`ipFamilies[${index}]\``;
          return [FieldErrors.invalid(at, ip, why)];
        })),
  ];
}
