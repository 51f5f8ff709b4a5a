import {
  type ApiObject,
  type FieldError,
  FieldErrors,
  goQuote,
  type JsonObject,
  PrintedValue,
  requiredChoiceErrors,
  type Vocabulary,
} from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { each, nonNegative } from '../../workloads/field-rules.ts';
import { workloadType } from '../../workloads/workload-type.ts';
import { revisedSchema } from '../revised-schema.ts';
import { type WithdrawnVersion, withdrawnVersion } from '../withdrawn-version.ts';
import { podSecurityPolicySchema } from './pod-security-policy-shapes.ts';

/** Policies about the security of pods, in their last version. They are stored and not enforced. */
function podSecurityPolicies(_vocabulary: Vocabulary): ResourceDefinition {
  return workloadType({
    group: 'policy',
    kind: 'PodSecurityPolicy',
    plural: 'podsecuritypolicies',
    shortNames: ['psp'],
    scope: 'Cluster',
    version: 'v1beta1',
    schema: podSecurityPolicySchema,
    strategy: { validate, validateUpdate: validate },
  });
}

/** The version of these policies before policy/v1beta1. */
export function withdrawnPodSecurityPolicies(vocabulary: Vocabulary): readonly WithdrawnVersion[] {
  const schema = revisedSchema(podSecurityPolicySchema, {}, [
    'api.policy.v1beta1.',
    'api.extensions.v1beta1.',
  ]);
  return [
    withdrawnVersion(
      podSecurityPolicies(vocabulary),
      { group: 'extensions', version: 'v1beta1' },
      { schema },
    ),
  ];
}

interface Range {
  readonly min?: number;
  readonly max?: number;
}

interface Strategy {
  readonly rule?: string;
  readonly ranges?: readonly Range[];
}

interface Policy extends ApiObject {
  readonly spec?: JsonObject & {
    readonly seLinux?: Strategy;
    readonly runAsUser?: Strategy;
    readonly runAsGroup?: Strategy;
    readonly supplementalGroups?: Strategy;
    readonly fsGroup?: Strategy;
    readonly allowPrivilegeEscalation?: boolean;
    readonly defaultAllowPrivilegeEscalation?: boolean;
    readonly allowedHostPaths?: readonly { readonly pathPrefix?: string }[];
    readonly requiredDropCapabilities?: readonly string[];
    readonly allowedCapabilities?: readonly string[];
    readonly defaultAddCapabilities?: readonly string[];
  };
}

const ANY = 'RunAsAny';
const RANGE = 'MustRunAs';

function validate({ spec = {} }: Policy): readonly FieldError[] {
  return [
    ...ruleErrors('runAsUser', spec.runAsUser, ['MustRunAs', 'MustRunAsNonRoot', ANY]),
    ...(spec.runAsGroup ? ruleErrors('runAsGroup', spec.runAsGroup, ['MayRunAs', RANGE, ANY]) : []),
    ...requiredChoiceErrors('spec.seLinux.rule', spec.seLinux?.rule, [RANGE, ANY]),
    ...ruleErrors('supplementalGroups', spec.supplementalGroups, ['MayRunAs', RANGE, ANY]),
    ...ruleErrors('fsGroup', spec.fsGroup, ['MayRunAs', RANGE, ANY]),
    ...capabilityErrors(spec),
    ...(spec.defaultAllowPrivilegeEscalation && spec.allowPrivilegeEscalation === false
      ? [
          FieldErrors.invalid(
            'spec.defaultAllowPrivilegeEscalation',
            true,
            'Cannot set DefaultAllowPrivilegeEscalation to true without also setting AllowPrivilegeEscalation to true',
          ),
        ]
      : []),
    ...each('spec.allowedHostPaths', spec.allowedHostPaths, ({ pathPrefix }, path) =>
      pathPrefix ? [] : [FieldErrors.required(`${path}.pathPrefix`)],
    ),
  ];
}

function ruleErrors(
  field: string,
  { rule, ranges }: Strategy = {},
  rules: readonly string[],
): readonly FieldError[] {
  const path = `spec.${field}`;
  return [
    ...requiredChoiceErrors(`${path}.rule`, rule, rules),
    ...each(`${path}.ranges`, ranges, ({ min = 0, max = 0 }, at) => [
      ...nonNegative(`${at}.min`, min),
      ...nonNegative(`${at}.max`, max),
      ...(min > max ? [FieldErrors.invalid(`${at}.min`, min, 'min cannot be greater than max')] : []),
    ]),
  ];
}

/** Errors of capabilities have no path of their spec. */
function capabilityErrors(spec: NonNullable<Policy['spec']>): readonly FieldError[] {
  const { requiredDropCapabilities: dropped = [], allowedCapabilities: allowed = [] } = spec;
  const { defaultAddCapabilities: added = [] } = spec;
  if (allowed.includes('*'))
    return dropped.length > 0
      ? [
          FieldErrors.invalid(
            'requiredDropCapabilities',
            printed(dropped),
            'must be empty when all capabilities are allowed by a wildcard',
          ),
        ]
      : [];
  const shared = (field: string, list: readonly string[]): readonly FieldError[] =>
    each(field, list, (capability, path) =>
      dropped.includes(capability)
        ? [
            FieldErrors.invalid(
              path,
              capability,
              `capability is listed in ${field} and requiredDropCapabilities`,
            ),
          ]
        : [],
    );
  return [...shared('defaultAddCapabilities', added), ...shared('allowedCapabilities', allowed)];
}

/** A list as the reference prints it. */
const printed = (capabilities: readonly string[]): PrintedValue =>
  new PrintedValue(`[]core.Capability{${capabilities.map(goQuote).join(', ')}}`);
