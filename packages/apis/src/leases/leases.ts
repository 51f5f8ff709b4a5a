import {
  type ApiObject,
  choiceErrors,
  type FieldError,
  FieldErrors,
  groupName,
  qualifiedNameErrors,
  type Vocabulary,
} from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { builtInType } from '../types/built-in-type.ts';
import { ageColumn, column, nameColumn } from '../types/columns.ts';
import { kindSchema } from '../types/kind-schema.ts';
import { int32, microTime, optional, string, struct, type } from '../types/schema-fields.ts';

/** A lease that its holder renews, for leader election and heartbeats (semantics/lifecycle#events-and-leases). */
export interface Lease extends ApiObject {
  readonly spec?: LeaseSpec;
}

/** The spec of a lease: durations in seconds, times in RFC 3339 with microseconds. */
export interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string | null;
  readonly renewTime?: string | null;
  readonly leaseTransitions?: number;
  readonly strategy?: string;
  readonly preferredHolder?: string;
}

const schema = kindSchema('api.coordination.v1.Lease', 'A claim that its holder renews.', {
  spec: struct(
    2,
    'The claim.',
    type('api.coordination.v1.LeaseSpec', {
      holderIdentity: optional(string(1, 'Current holder; empty if there is none.')),
      leaseDurationSeconds: optional(int32(2, 'Seconds after the last renewal when others may take it.')),
      acquireTime: optional(microTime(3, 'When the holder took it.')),
      renewTime: optional(microTime(4, 'When the holder last renewed it.')),
      leaseTransitions: optional(int32(5, 'How often it changed hands.')),
      strategy: optional(
        string(6, 'How the leader of a coordinated election is chosen.', {
          typeName: 'api.coordination.v1.CoordinatedLeaseStrategy',
        }),
      ),
      preferredHolder: optional(string(7, 'Whom the present holder should hand it to.')),
    }),
  ),
});

/** Leases (semantics/lifecycle#events-and-leases). */
export function leases(vocabulary: Vocabulary): ResourceDefinition {
  return builtInType({
    group: groupName(vocabulary, 'coordination.'),
    kind: 'Lease',
    plural: 'leases',
    scope: 'Namespaced',
    version: { schema, columns: [nameColumn, column('Holder', 'Who holds it.', holder), ageColumn] },
    strategy: {
      allowsCreateOnUpdate: true,
      allowsUnconditionalUpdate: false,
      qualifiedFinalizers: false,
      updateChecks: ['metadata-change'],
      prepareForCreate: (object) => withoutElection(object, undefined),
      prepareForUpdate: withoutElection,
      validate: ({ spec = {} }: Lease) => specErrors(spec),
      validateUpdate: ({ spec = {} }: Lease) => specErrors(spec),
    },
  });
}

const holder = ({ spec }: Lease): string => spec?.holderIdentity ?? '';

/** Coordinated elections are not served: their fields are dropped unless they are stored already. */
function withoutElection(object: Lease, stored: Lease | undefined): Lease {
  const { strategy, preferredHolder, ...spec } = object.spec ?? {};
  return {
    ...object,
    spec: {
      ...spec,
      ...(strategy !== undefined && stored?.spec?.strategy !== undefined && { strategy }),
      ...(preferredHolder !== undefined &&
        stored?.spec?.preferredHolder !== undefined && { preferredHolder }),
    },
  };
}

function specErrors({
  leaseDurationSeconds,
  leaseTransitions,
  strategy,
  preferredHolder,
}: LeaseSpec): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (leaseDurationSeconds !== undefined && leaseDurationSeconds <= 0) {
    errors.push(
      FieldErrors.invalid('spec.leaseDurationSeconds', leaseDurationSeconds, 'must be greater than 0'),
    );
  }
  if (leaseTransitions !== undefined && leaseTransitions < 0) {
    errors.push(
      FieldErrors.invalid('spec.leaseTransitions', leaseTransitions, 'must be greater than or equal to 0'),
    );
  }
  if (strategy !== undefined) errors.push(...strategyErrors(strategy));
  if (preferredHolder && !strategy) {
    errors.push(
      FieldErrors.forbidden('spec.preferredHolder', 'may only be specified if `strategy` is defined'),
    );
  }
  return errors;
}

const STRATEGIES = ['OldestEmulationVersion'];

function strategyErrors(strategy: string): readonly FieldError[] {
  const field = 'spec.strategy.strategy';
  if (strategy.includes('/'))
    return qualifiedNameErrors(strategy).map((why) => FieldErrors.invalid(field, strategy, why));
  return choiceErrors(field, strategy, STRATEGIES);
}
