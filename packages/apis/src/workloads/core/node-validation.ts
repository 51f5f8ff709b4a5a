import {
  type ApiObject,
  type FieldError,
  FieldErrors,
  fieldErrorsOf,
  fieldErrorsOfSteps,
  type JsonObject,
  productName,
  type Steps,
  type Vocabulary,
  validateCidr,
} from '@ashlar/core';
import { ipFamilyOfCidr } from '../addresses/address-range.ts';
import { each, eachSteps, forbiddenWhen, invalidWhen, repetition } from '../field-rules.ts';
import { amountErrors } from '../resources/resource-amounts.ts';
import { nodeAnnotationsErrors } from './node-annotations.ts';
import { type Taint, taintErrorsSteps } from './node-taints.ts';
import type { Condition } from './pod-types.ts';

interface NodeAddress {
  readonly type?: string;
  readonly address?: string;
}

/** Amounts of resources by name. */
type Amounts = Readonly<Record<string, string>>;

/** A machine that runs pods. */
export interface Node extends ApiObject {
  readonly spec?: {
    readonly podCIDRs?: readonly string[];
    readonly providerID?: string;
    readonly externalID?: string;
    readonly unschedulable?: boolean;
    readonly taints?: readonly Taint[];
    readonly configSource?: JsonObject;
  };
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly capacity?: Amounts;
    readonly allocatable?: Amounts;
    readonly addresses?: readonly NodeAddress[];
    readonly config?: JsonObject;
    readonly features?: JsonObject;
    readonly nodeInfo?: {
      readonly kubeletVersion?: string;
      readonly osImage?: string;
      readonly kernelVersion?: string;
      readonly containerRuntimeVersion?: string;
    };
  };
}

/** Errors of a node. */
export function* nodeErrorsSteps(
  { metadata, spec = {}, status = {} }: Node,
  vocabulary: Vocabulary,
): Steps<readonly FieldError[]> {
  return [
    ...nodeAnnotationsErrors(metadata, vocabulary),
    ...(yield* taintErrorsSteps(spec.taints, 'metadata.taints')),
    ...(yield* resourceErrorsSteps(status, vocabulary)),
    ...podRangeErrors(spec.podCIDRs ?? []),
  ];
}

/** Errors of the resources that a node has, and of those that pods may use. */
function* resourceErrorsSteps(
  { capacity = {}, allocatable = {} }: NonNullable<Node['status']>,
  vocabulary: Vocabulary,
): Steps<readonly FieldError[]> {
  const ofSteps = (amounts: Amounts, path: string): Steps<readonly FieldError[]> =>
    fieldErrorsOfSteps(Object.entries(amounts), ([name, amount]) =>
      amountErrors(name, amount, vocabulary, `${path}.${name}`),
    );
  return [
    ...(yield* ofSteps(capacity, 'status.capacity')),
    ...(yield* ofSteps(allocatable, 'status.allocatable')),
  ];
}

/** Errors of a changed node, besides those of the node itself; its annotations, taints and resources are checked here as well, so their errors come twice. */
export function* nodeChangeErrorsSteps(
  { metadata, spec = {}, status = {} }: Node,
  { spec: was = {} }: Node,
  vocabulary: Vocabulary,
): Steps<readonly FieldError[]> {
  const { podCIDRs: before = [], providerID } = was;
  return [
    ...nodeAnnotationsErrors(metadata, vocabulary),
    ...(yield* resourceErrorsSteps(status, vocabulary)),
    ...(yield* repeatedAddressesSteps(status.addresses)),
    ...changedRangesErrors(spec.podCIDRs ?? [], before),
    ...forbiddenWhen(
      Boolean(providerID) && spec.providerID !== providerID,
      'spec.providerID',
      'node updates may not change providerID except from "" to valid',
    ),
    ...(yield* taintErrorsSteps(spec.taints, 'metadata.taints')),
    ...forbiddenWhen(
      (spec.externalID ?? '') !== (was.externalID ?? ''),
      'spec.externalID',
      'may not be updated',
    ),
  ];
}

/** Each range that changed, unless there are more or fewer now. */
function changedRangesErrors(ranges: readonly string[], before: readonly string[]): readonly FieldError[] {
  const why = 'node updates may not change podCIDR except from "" to valid';
  if (before.length === 0) return [];
  if (ranges.length !== before.length) return [FieldErrors.forbidden('spec.podCIDRs', why)];
  return fieldErrorsOf(before, (range, index) =>
    forbiddenWhen(range !== ranges[index], 'spec.podCIDRs', why),
  );
}

/** At most one range of addresses for each family. */
function podRangeErrors(ranges: readonly string[]): readonly FieldError[] {
  const path = 'spec.podCIDRs';
  const invalid = each(path, ranges, (range, at) => validateCidr(at, range));
  if (ranges.length < 2) return invalid;
  const broken = ranges.findIndex((range) => !ipFamilyOfCidr(range));
  const families = new Set(ranges.map(ipFamilyOfCidr));
  const isPair = broken < 0 && ranges.length === 2 && families.size === 2;
  const isRepeated = repetition();
  return [
    ...invalid,
    ...(broken < 0 ? [] : [unreadableRange(path, ranges[broken] as string, broken)]),
    ...invalidWhen(!isPair, path, ranges, 'may specify no more than one CIDR for each IP family'),
    ...each(path, ranges, (range, at) => (isRepeated(range) ? [FieldErrors.duplicate(at, range)] : [])),
  ];
}

function unreadableRange(field: string, range: string, index: number): FieldError {
  const why = `invalid CIDR[${index}]: <nil> (invalid CIDR address: ${range})`;
  const message = `Internal error: invalid PodCIDRs. failed to check with dual stack with error:${why}`;
  return { reason: 'InternalError', field, message };
}

function* repeatedAddressesSteps(
  addresses: readonly NodeAddress[] | undefined,
): Steps<readonly FieldError[]> {
  const seen = new Set<string>();
  return yield* eachSteps('status.addresses', addresses, ({ type, address }, field) => {
    const text = JSON.stringify([type, address]);
    if (!seen.has(text)) {
      seen.add(text);
      return [];
    }
    const message = 'Duplicate value: core.NodeAddress{…}';
    return [{ reason: 'FieldValueDuplicate', field, message }];
  });
}

/** Texts of warnings of deprecated fields. */
export function nodeWarnings({ spec = {} }: Node, vocabulary: Vocabulary): readonly string[] {
  const why = `this field is deprecated, and is unused by ${productName(vocabulary)}`;
  return spec.externalID ? [`spec.externalID: ${why}`] : [];
}
