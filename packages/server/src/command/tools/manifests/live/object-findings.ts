import { type ApiObject, isJsonObject, type JsonObject, type JsonValue, type Vocabulary } from '@ashlar/core';
import { findWithdrawn, type ManifestFinding } from '@ashlar/lifecycle';
import type { PlacedFinding } from '../placed-finding.ts';

export interface LiveCheck {
  readonly target: string;
  readonly vocabulary: Vocabulary;
}

/** An object of a cluster, and the type in which it was listed. */
export interface LiveObject {
  readonly object: ApiObject;
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * Finds who wrote an object in versions that a release no longer serves: by what was applied last, and by the records of ownership. The
 * object itself is served in other versions, except if its kind is gone.
 */
export function objectFindings(live: LiveObject, check: LiveCheck): readonly Omit<PlacedFinding, 'line'>[] {
  const { object, apiVersion, kind } = live;
  const { name = '', namespace, managedFields = [] } = object.metadata;
  const shown = `${kind} ${JSON.stringify(namespace === undefined ? name : `${namespace}/${name}`)}`;
  const report = (details: ManifestFinding, how: string): Omit<PlacedFinding, 'line'> => ({
    severity: details.finding === 'deprecated' ? 'deprecated' : 'withdrawn',
    message: `${how}${details.message}`,
    object: shown,
    details: { ...details, name, ...(namespace !== undefined && { namespace }) },
  });
  const findings: Omit<PlacedFinding, 'line'>[] = [];
  const { clientName, labelDomain } = check.vocabulary;
  const applied = lastApplied(object, `${clientName}.${labelDomain}/last-applied-configuration`);
  const appliedAs = applied && standing(applied.apiVersion, applied.kind, check);
  if (appliedAs) findings.push(report(appliedAs, 'was applied last in a version of the past: '));
  for (const { manager = '', operation, apiVersion: written, time, subresource } of managedFields) {
    if (written === undefined || (appliedAs && manager === `${clientName}-client-side-apply`)) continue;
    const details = subresource === undefined ? standing(written, kind, check) : undefined;
    if (!details) continue;
    const when = time === undefined ? '' : ` on ${time}`;
    findings.push(report(details, `manager ${JSON.stringify(manager)} wrote it (${operation}${when}): `));
  }
  const own = standing(apiVersion, kind, check);
  if (own && !own.replacement && findings.length === 0) findings.push(report(own, ''));
  return findings;
}

function standing(apiVersion: string, kind: string, check: LiveCheck): ManifestFinding | undefined {
  const [details] = findWithdrawn([{ apiVersion, kind }], check);
  return details?.finding === 'not served yet' ? undefined : details;
}

/** What a client applied last; it keeps it in an annotation. */
function lastApplied(
  { metadata }: ApiObject,
  annotation: string,
): { apiVersion: string; kind: string } | undefined {
  const text = metadata.annotations?.[annotation];
  if (text === undefined) return undefined;
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
  const { apiVersion, kind }: JsonObject = isJsonObject(value) ? value : {};
  return typeof apiVersion === 'string' && typeof kind === 'string' ? { apiVersion, kind } : undefined;
}
