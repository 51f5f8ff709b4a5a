import { type FieldError, FieldErrors, type Vocabulary } from '@ashlar/core';
import type { LimitedPriority, PriorityLevel, Queuing } from '@ashlar/flow-control';
import { defaultPriorityLevels } from './default-flow-objects.ts';
import { conditionErrors, fixedErrors } from './flow-validation.ts';

const MAXIMUM_QUEUES = 10_000_000;
/** Bits of the hash that chooses the queues of a flow. */
const MAXIMUM_HASH_BITS = 60;

/** How a kept zero share was marked in an older version. */
export const zeroSharesAnnotation = (groupDomain: string): string =>
  `flowcontrol.${groupDomain}/v1beta3-preserve-zero-concurrency-shares`;

type Spec = NonNullable<PriorityLevel['spec']>;

/** Errors of a priority; those that every server needs have fixed specs. */
export function priorityLevelErrors(vocabulary: Vocabulary): (level: PriorityLevel) => readonly FieldError[] {
  const fixed = new Map(
    defaultPriorityLevels(vocabulary).mandatory.map(({ metadata, spec }) => [metadata.name, spec]),
  );
  const marker = zeroSharesAnnotation(vocabulary.groupDomain);
  return ({ metadata: { name = '', annotations }, spec = {}, status }) => [
    ...(annotations?.[marker] === undefined
      ? []
      : [FieldErrors.forbidden('metadata.annotations', `annotation '${marker}' is forbidden`)]),
    ...((name === 'exempt') === (spec.type === 'Exempt')
      ? []
      : [
          FieldErrors.invalid(
            'spec.type',
            spec.type ?? '',
            "type must be 'Exempt' if and only if name is 'exempt'",
          ),
        ]),
    ...specErrors(spec),
    ...fixedLevelErrors(name, spec, fixed.get(name)),
    ...conditionErrors(status?.conditions),
  ];
}

/** Operators may change the shares of the exempt priority. */
function fixedLevelErrors(name: string, spec: Spec, fixed: Spec | undefined): readonly FieldError[] {
  if (name !== 'exempt') return fixedErrors(spec, fixed, `spec of '${name}'`);
  const required = { ...fixed, ...(spec.exempt && { exempt: spec.exempt }) };
  const comparable = { ...spec, exempt: required.exempt };
  return fixedErrors(comparable, required, `spec of '${name}' except the 'spec.exempt' field`);
}

function specErrors({ type = '', limited, exempt }: Spec): readonly FieldError[] {
  if (type === 'Exempt') {
    const why = 'must be nil if the type is not Limited';
    return [
      ...(limited ? [FieldErrors.forbidden('spec.limited', why)] : []),
      ...(exempt ? shareErrors(exempt, 'spec.exempt') : []),
      ...percentErrors(exempt?.lendablePercent, 'spec.exempt'),
    ];
  }
  if (type !== 'Limited') return [FieldErrors.notSupported('spec.type', type, ['Exempt', 'Limited'])];
  return [
    ...(exempt ? [FieldErrors.forbidden('spec.exempt', 'must be nil if the type is Limited')] : []),
    ...(limited
      ? limitedErrors(limited, 'spec.limited')
      : [FieldErrors.required('spec.limited', 'must not be empty when type is Limited')]),
  ];
}

function shareErrors(
  { nominalConcurrencyShares: shares = 0 }: LimitedPriority,
  path: string,
): readonly FieldError[] {
  if (shares >= 0) return [];
  return [FieldErrors.invalid(`${path}.nominalConcurrencyShares`, shares, 'must be a non-negative integer')];
}

function percentErrors(percent = 0, path: string): readonly FieldError[] {
  if (percent >= 0 && percent <= 100) return [];
  return [FieldErrors.invalid(`${path}.lendablePercent`, percent, 'must be between 0 and 100, inclusive')];
}

function limitedErrors(limited: LimitedPriority, path: string): readonly FieldError[] {
  const { lendablePercent, borrowingLimitPercent: borrowed = 0 } = limited;
  const why = 'if specified, must be a non-negative integer';
  return [
    ...shareErrors(limited, path),
    ...responseErrors(limited.limitResponse ?? {}, `${path}.limitResponse`),
    ...percentErrors(lendablePercent, path),
    ...(borrowed < 0 ? [FieldErrors.invalid(`${path}.borrowingLimitPercent`, borrowed, why)] : []),
  ];
}

function responseErrors(
  { type = '', queuing }: NonNullable<LimitedPriority['limitResponse']>,
  path: string,
): readonly FieldError[] {
  const at = `${path}.queuing`;
  if (type === 'Reject')
    return queuing
      ? [FieldErrors.forbidden(at, 'must be nil if limited.limitResponse.type is not Limited')]
      : [];
  if (type !== 'Queue') return [FieldErrors.notSupported(`${path}.type`, type, ['Queue', 'Reject'])];
  if (queuing) return queuingErrors(queuing, at);
  return [FieldErrors.required(at, 'must not be empty if limited.limitResponse.type is Limited')];
}

function queuingErrors(queuing: Queuing, path: string): readonly FieldError[] {
  const { queues = 0, handSize = 0, queueLengthLimit = 0 } = queuing;
  const positive = (field: keyof Queuing, value: number): readonly FieldError[] =>
    value > 0 ? [] : [FieldErrors.invalid(`${path}.${field}`, value, 'must be positive')];
  const why = `must not be greater than ${MAXIMUM_QUEUES}`;
  return [
    ...positive('queueLengthLimit', queueLengthLimit),
    ...positive('queues', queues),
    ...(queues > MAXIMUM_QUEUES ? [FieldErrors.invalid(`${path}.queues`, queues, why)] : []),
    ...(handSize > 0 ? handErrors(queues, handSize, `${path}.handSize`) : positive('handSize', handSize)),
  ];
}

function handErrors(queues: number, handSize: number, path: string): readonly FieldError[] {
  if (handSize > queues)
    return [FieldErrors.invalid(path, handSize, `should not be greater than queues (${queues})`)];
  if (Math.ceil(Math.log2(queues) * handSize) <= MAXIMUM_HASH_BITS) return [];
  const why = `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${MAXIMUM_HASH_BITS}`;
  return [FieldErrors.invalid(path, handSize, why)];
}
