import type { ApiObject, Vocabulary } from '@ashlar/core';
import type { Claim } from './claim-updates.ts';
import type { ClaimSpec, DataSource } from './claim-validation.ts';

/**
 * A source of data has an old field and a new one; within the namespace they are equal. The old one only takes
 * claims and snapshots, others are dropped without an error.
 */
export function withDataSources(claim: Claim, stored: Claim | undefined, vocabulary: Vocabulary): ApiObject {
  const spec = withoutFeatures(claim.spec ?? {}, stored?.spec ?? {});
  const { dataSource, dataSourceRef, volumeAttributesClassName, ...rest } = spec;
  const isRetained =
    stored?.spec?.dataSource !== undefined ||
    stored?.spec?.dataSourceRef !== undefined ||
    dataSourceRef !== undefined ||
    (dataSource !== undefined && isOrdinary(dataSource, vocabulary));
  const old = isRetained ? dataSource : undefined;
  const source = old ?? withoutNamespace(dataSourceRef);
  const reference = dataSourceRef ?? old;
  return {
    ...claim,
    spec: {
      ...rest,
      ...(source && { dataSource: source }),
      ...(reference && { dataSourceRef: reference }),
      ...(volumeAttributesClassName !== undefined && { volumeAttributesClassName }),
    },
  };
}

/** The old field names no namespace. Undefined for a source in another one. */
function withoutNamespace(reference: ClaimSpec['dataSourceRef']): ClaimSpec['dataSource'] {
  if (!reference || reference.namespace) return undefined;
  const { namespace: _, ...source } = reference;
  return source;
}

/** Classes of attributes and sources in other namespaces are features that are off. */
function withoutFeatures(spec: ClaimSpec, was: ClaimSpec): ClaimSpec {
  const { volumeAttributesClassName, dataSourceRef, ...rest } = spec;
  const isElsewhere = Boolean(dataSourceRef?.namespace) && was.dataSourceRef === undefined;
  return {
    ...rest,
    ...(dataSourceRef && !isElsewhere && { dataSourceRef }),
    ...(volumeAttributesClassName !== undefined &&
      was.volumeAttributesClassName !== undefined && { volumeAttributesClassName }),
  };
}

function isOrdinary({ apiGroup, kind }: DataSource, { groupDomain }: Vocabulary): boolean {
  return (
    (kind === 'PersistentVolumeClaim' && !apiGroup) ||
    (kind === 'VolumeSnapshot' && apiGroup === `snapshot.storage.${groupDomain}`)
  );
}

/** The status of a claim without what belongs to classes of attributes. */
export function withoutClasses(claim: Claim, stored: Claim): Claim {
  const {
    currentVolumeAttributesClassName: current,
    modifyVolumeStatus: change,
    ...status
  } = claim.status ?? {};
  const was = stored.status ?? {};
  return {
    ...claim,
    status: {
      ...status,
      ...(was.currentVolumeAttributesClassName !== undefined &&
        current !== undefined && { currentVolumeAttributesClassName: current }),
      ...(was.modifyVolumeStatus !== undefined && change !== undefined && { modifyVolumeStatus: change }),
    },
  };
}
