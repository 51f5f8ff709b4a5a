import {
  type ApiObject,
  type FieldError,
  FieldErrors,
  groupName,
  type JsonObject,
  type Vocabulary,
  withMetadata,
} from '@ashlar/core';
import { compareReleases, type Release, requireRelease } from '@ashlar/lifecycle';
import { int32 } from '../../types/schema-fields.ts';
import { withEntry } from '../../types/sorted-map.ts';
import { compileDefaults } from '../../workloads/defaults/schema-defaults.ts';
import { flowSchemas, priorityLevelConfigurations } from '../../workloads/flowcontrol/flow-types.ts';
import { zeroSharesAnnotation } from '../../workloads/flowcontrol/priority-validation.ts';
import { flowSchemaSchema } from '../../workloads/shapes/flowcontrol/flow-schema.ts';
import { priorityLevelConfigurationSchema } from '../../workloads/shapes/flowcontrol/priority-level-configuration.ts';
import { type FieldChanges, type Fields, revisedSchema, without } from '../revised-schema.ts';
import {
  newObjectErrors,
  relabelled,
  type WithdrawnVersion,
  withdrawnVersion,
} from '../withdrawn-version.ts';

/** Flow control before v1. */
export function withdrawnFlowControl(vocabulary: Vocabulary): readonly WithdrawnVersion[] {
  const flows = flowSchemas(vocabulary);
  return [
    ...['v1beta1', 'v1beta2', 'v1beta3'].map((version) =>
      withdrawnVersion(flows, { version }, { schema: revisedSchema(flowSchemaSchema, {}, renamed(version)) }),
    ),
    assured(vocabulary, 'v1beta1'),
    assured(vocabulary, 'v1beta2'),
    nominal(vocabulary),
  ];
}

const renamed = (version: string): readonly [string, string] => [
  'api.flowcontrol.v1.',
  `api.flowcontrol.${version}.`,
];

const LIMITED = 'api.flowcontrol.v1.LimitedPriorityLevelConfiguration';
const SHARES = 30;

/** The shares of a limited level under their name in a version, without a difference between 0 and absence. */
const withShares =
  (name: string) =>
  ({ nominalConcurrencyShares: _, ...fields }: Fields): Fields => ({
    [name]: { ...int32(1), alwaysPrinted: true },
    ...fields,
  });

/** Versions in which shares have another name, and 0 is not to be distinguished from absence. */
function assured(vocabulary: Vocabulary, version: string): WithdrawnVersion {
  const group = groupName(vocabulary, 'flowcontrol.apiserver.');
  const current = priorityLevelConfigurations(vocabulary);
  const isFirst = version === 'v1beta1';
  const changes: FieldChanges = {
    [LIMITED]: (fields) => {
      const named = withShares('assuredConcurrencyShares')(fields);
      return isFirst ? without('lendablePercent', 'borrowingLimitPercent')(named) : named;
    },
    ...(isFirst && { 'api.flowcontrol.v1.PriorityLevelConfigurationSpec': without('exempt') }),
  };
  const { complete } = compileDefaults(revisedSchema(priorityLevelConfigurationSchema, changes), {
    [LIMITED]: (limited) => ({
      ...limited,
      assuredConcurrencyShares: limited.assuredConcurrencyShares || SHARES,
    }),
  });
  const toCurrent = (object: ApiObject): ApiObject =>
    relabelled(`${group}/v1`)(withLimited(object, 'assuredConcurrencyShares', 'nominalConcurrencyShares'));
  return withdrawnVersion(
    current,
    { version },
    {
      schema: revisedSchema(priorityLevelConfigurationSchema, changes, renamed(version)),
      complete,
      toCurrent,
      fromCurrent: (object) =>
        relabelled(`${group}/${version}`)(
          withLimited(object, 'nominalConcurrencyShares', 'assuredConcurrencyShares'),
        ),
    },
  );
}

function withLimited(object: ApiObject, from: string, to: string): ApiObject {
  const spec = object.spec as (JsonObject & { readonly limited?: JsonObject }) | undefined;
  if (!spec?.limited) return object;
  const { [from]: shares, ...limited } = spec.limited;
  return {
    ...object,
    spec: { ...spec, limited: { ...(shares !== undefined && { [to]: shares }), ...limited } },
  } as ApiObject;
}

/** The version in which an annotation distinguishes 0 from absence. */
function nominal(vocabulary: Vocabulary): WithdrawnVersion {
  const group = groupName(vocabulary, 'flowcontrol.apiserver.');
  const current = priorityLevelConfigurations(vocabulary);
  const annotation = zeroSharesAnnotation(vocabulary.groupDomain);
  const changes: FieldChanges = { [LIMITED]: withShares('nominalConcurrencyShares') };
  const { complete: completeRest } = compileDefaults(
    revisedSchema(priorityLevelConfigurationSchema, changes),
  );
  const hasExplicitZero = ({ metadata }: ApiObject): boolean =>
    metadata.annotations?.[annotation] !== undefined;
  const toCurrent = (object: ApiObject): ApiObject =>
    relabelled(`${group}/v1`)(withoutAnnotation(object, annotation));
  const complete = (object: ApiObject): ApiObject =>
    completeRest(hasExplicitZero(object) ? object : withDefaultShares(object));
  return withdrawnVersion(
    current,
    { version: 'v1beta3' },
    {
      schema: revisedSchema(priorityLevelConfigurationSchema, changes, renamed('v1beta3')),
      complete,
      toCurrent,
      fromCurrent: (object) => relabelled(`${group}/v1beta3`)(withZeroSharesAnnotation(object, annotation)),
      createErrors: (object, release) => [
        ...newObjectErrors(current, toCurrent(object)),
        ...zeroErrors(object, release),
      ],
    },
  );
}

function sharesOf(object: ApiObject): number | undefined {
  const spec = object.spec as
    | { readonly limited?: { readonly nominalConcurrencyShares?: number } }
    | undefined;
  return spec?.limited && (spec.limited.nominalConcurrencyShares ?? 0);
}

function withDefaultShares(object: ApiObject): ApiObject {
  if (sharesOf(object) !== 0) return object;
  const spec = object.spec as JsonObject & { readonly limited: JsonObject };
  return { ...object, spec: { ...spec, limited: { ...spec.limited, nominalConcurrencyShares: SHARES } } };
}

function withoutAnnotation(object: ApiObject, annotation: string): ApiObject {
  const { [annotation]: marked, ...rest } = object.metadata.annotations ?? {};
  if (marked === undefined) return object;
  return withMetadata(object, { annotations: Object.keys(rest).length > 0 ? rest : undefined });
}

function withZeroSharesAnnotation(object: ApiObject, annotation: string): ApiObject {
  if (sharesOf(object) !== 0) return object;
  return withMetadata(object, {
    annotations: withEntry(object.metadata.annotations ?? {}, annotation, ''),
  });
}

/** The release that began to accept shares of 0. */
const ZERO_SHARES = requireRelease('1.30');

function zeroErrors(object: ApiObject, release: Release | undefined): readonly FieldError[] {
  if (sharesOf(object) !== 0 || !release || compareReleases(release, ZERO_SHARES) >= 0) return [];
  return [FieldErrors.invalid('spec.limited.nominalConcurrencyShares', 0, 'must be positive')];
}
