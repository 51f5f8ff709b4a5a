import {
  type ApiObject,
  type FieldError,
  FieldErrors,
  type JsonValue,
  jsonEqual,
  PrintedValue,
  parseQuantity,
  qualifiedNameErrors,
  type Vocabulary,
} from '@ashlar/core';
import {
  eachEntry,
  follows,
  forbiddenWhen,
  invalidWhen,
  NO_ERRORS,
  requiredWhen,
  unchanged,
} from '../field-rules.ts';
import type { ResourceList } from '../pods/container-types.ts';
import { isDomainQualifiedResource } from '../quota/extended-resource.ts';
import { nonNegativeAmount } from '../resources/resource-amounts.ts';
import { withAmountsOf } from '../semantic-equality.ts';
import { persistentVolumeClaimSpec } from '../shapes/core/persistent-volume-claim.ts';
import { changedClassErrors } from '../storage/attribute-classes.ts';
import { type ClaimSpec, claimErrors } from './claim-validation.ts';

/** A request for storage. */
export interface Claim extends ApiObject {
  readonly spec?: ClaimSpec;
  readonly status?: {
    readonly phase?: string;
    readonly accessModes?: readonly string[];
    readonly capacity?: ResourceList;
    readonly allocatedResources?: ResourceList;
    readonly allocatedResourceStatuses?: Readonly<Record<string, string>>;
    readonly currentVolumeAttributesClassName?: string;
    readonly modifyVolumeStatus?: object;
  };
}

/** Errors of a changed claim, besides those of its new form. */
export function claimUpdateErrors(
  claim: Claim,
  stored: Claim,
  vocabulary: Vocabulary,
): readonly FieldError[] {
  const spec = claim.spec ?? {};
  const was = stored.spec ?? {};
  const beta = `volume.beta.${vocabulary.labelDomain}/storage-class`;
  const [before, after] = [stored, claim].map(({ metadata }) => metadata.annotations?.[beta]);
  const isMoved = isMovedClass(spec, was, before, after);
  const takesClass =
    isMoved ||
    (was.storageClassName === undefined && (before === undefined || before === spec.storageClassName));
  return [
    ...claimErrors(spec, was),
    ...invalidWhen(
      !isMoved && (before ?? '') !== (after ?? ''),
      `metadata.annotations.${beta}`,
      after ?? '',
      'field is immutable',
    ),
    ...forbiddenWhen(
      !isSameSpec(claim, stored, takesClass),
      'spec',
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n',
    ),
    ...shrunkErrors(spec, stored),
    ...unchanged('volumeMode', spec.volumeMode, was.volumeMode),
    ...changedClassErrors(spec, was, 'loss'),
  ];
}

/** The class of a claim may move from its old annotation to the field. */
function isMovedClass(
  spec: ClaimSpec,
  was: ClaimSpec,
  before: string | undefined,
  after: string | undefined,
): boolean {
  return (
    before !== undefined &&
    was.storageClassName === undefined &&
    spec.storageClassName === before &&
    (after === undefined || after === before)
  );
}

/** A bound claim may grow, as long as it requests something; it may get a volume if it had none. */
function isSameSpec(claim: Claim, stored: Claim, takesClass: boolean): boolean {
  const was = stored.spec ?? {};
  const spec = withAmountsOf(persistentVolumeClaimSpec, was, claim.spec ?? {});
  const isBound = claim.status?.phase === 'Bound';
  const fixed = (one: ClaimSpec): JsonValue => {
    const { resources, volumeName, storageClassName, volumeAttributesClassName, ...rest } = one;
    const { requests, ...others } = resources ?? {};
    const { storage, ...counted } = requests ?? {};
    return {
      ...rest,
      ...others,
      counted,
      ...(was.volumeName && { volumeName: volumeName ?? '' }),
      ...(!takesClass && { storageClassName: storageClassName ?? null }),
      ...(isBound && spec.resources?.requests
        ? { hasRequests: requests !== undefined }
        : { storage: storage ?? '' }),
      ...(!(isBound && spec.volumeAttributesClassName !== undefined) && {
        volumeAttributesClassName: volumeAttributesClassName ?? null,
      }),
    } as unknown as JsonValue;
  };
  return jsonEqual(fixed(spec), fixed(was));
}

/** A claim can become smaller as long as it stays larger than what it has. */
function shrunkErrors({ resources }: ClaimSpec, stored: Claim): readonly FieldError[] {
  const next = parseQuantity(resources?.requests?.storage ?? '0');
  const before = parseQuantity(stored.spec?.resources?.requests?.storage ?? '0');
  const has = parseQuantity(stored.status?.capacity?.storage ?? '0');
  return forbiddenWhen(
    next.compare(before) < 0 && next.compare(has) <= 0,
    'spec.resources.requests.storage',
    'field can not be less than status.capacity',
  );
}

const RESIZES: readonly string[] = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizePending',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
];
const SORTED_RESIZES: readonly string[] = [...RESIZES].sort();

/** Errors of a new status of a claim. */
export function claimStatusErrors(
  { spec = {}, status = {} }: Claim,
  vocabulary: Vocabulary,
): readonly FieldError[] {
  const states = 'status.allocatedResourceStatus';
  const amounts = 'status.allocatedResources';
  return [
    ...requiredWhen(!spec.accessModes?.length, 'Spec.accessModes'),
    ...eachEntry(status.capacity, (name, amount) => quantityErrors(amount, `status.capacity[${name}]`)),
    ...eachEntry(status.allocatedResourceStatuses, (name, state) => [
      ...keyErrors(name, states, vocabulary),
      ...(RESIZES.includes(state)
        ? NO_ERRORS
        : [FieldErrors.notSupported(states, new PrintedValue(name), SORTED_RESIZES)]),
    ]),
    ...eachEntry(status.allocatedResources, (name, amount) => {
      const wrong = keyErrors(name, amounts, vocabulary);
      if (wrong.length > 0) return wrong;
      const negative = quantityErrors(amount, `${amounts}[${name}]`);
      return negative.length > 0 ? negative : nonNegativeAmount(amount, `${amounts}[${name}]`);
    }),
  ];
}

function quantityErrors(amount: string, path: string): readonly FieldError[] {
  const value = parseQuantity(amount).value();
  return invalidWhen(value < 0n, path, value, 'must be a valid resource quantity');
}

/** Of the resources without a domain, or with that of the vocabulary, there is only storage. */
function keyErrors(name: string, path: string, vocabulary: Vocabulary): readonly FieldError[] {
  const wrong = follows(path, name, qualifiedNameErrors);
  if (wrong.length > 0 || name === 'storage' || isDomainQualifiedResource(name, vocabulary)) return wrong;
  return [FieldErrors.notSupported(path, name, ['storage'])];
}
