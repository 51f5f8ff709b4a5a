import { isJsonObject, type JsonObject, type JsonValue } from '@ashlar/core';
import { editDocument } from './edit-document.ts';
import { type HelmRelease, helmReleaseIn } from './helm-release.ts';
import type { CheckedText, PlacedFinding } from './placed-finding.ts';

/** A finding about what a release of Helm contains. */
type ReleaseFinding = Omit<PlacedFinding, 'line'>;

/** Findings about a release, and its data if they were fixed in it. */
interface CheckedRelease {
  readonly findings: readonly ReleaseFinding[];
  readonly data?: string;
}

/**
 * Checks the manifests in a release of Helm; of an object that is none there are no findings. Old revisions are no longer applied: they are
 * skipped.
 */
export function checkRelease(object: JsonObject, check: (text: string) => CheckedText): CheckedRelease {
  let release: HelmRelease | undefined;
  try {
    release = helmReleaseIn(object);
  } catch (error) {
    const message = `is a release of Helm that cannot be read: ${(error as Error).message}`;
    return { findings: [{ severity: 'error', message }] };
  }
  if (!release || PAST.has(release.status)) return { findings: [] };
  const { name, revision, texts } = release;
  const checked = texts.map(check);
  const inside = `release ${JSON.stringify(name)} of Helm, revision ${revision}`;
  const findings = checked.flatMap((text) =>
    text.findings.map(({ line: _, ...finding }) => ({
      ...finding,
      object: finding.object === undefined ? inside : `${finding.object} in ${inside}`,
    })),
  );
  if (!checked.some(({ text }) => text !== undefined)) return { findings };
  return {
    findings,
    data: release.encode(checked.map(({ text }, index) => text ?? (texts[index] as string))),
  };
}

const PAST: ReadonlySet<string> = new Set(['superseded', 'uninstalled', 'uninstalling']);

/** Checks the releases among the objects of a document. @returns undefined if it has none with findings */
export function checkReleasesIn(
  { text, line }: { readonly text: string; readonly line: number },
  value: JsonValue,
  check: (text: string) => CheckedText,
): CheckedText | undefined {
  if (!isJsonObject(value)) return undefined;
  const isList = Array.isArray(value.items) && typeof value.kind === 'string' && value.kind.endsWith('List');
  const objects = isList ? (value.items as readonly JsonValue[]) : [value];
  const checked = objects.map((object) => (isJsonObject(object) ? checkRelease(object, check) : NOTHING));
  const findings = checked.flatMap((each) => each.findings.map((finding) => ({ line, ...finding })));
  if (findings.length === 0) return undefined;
  const edits = checked.flatMap(({ data }, index) =>
    data === undefined
      ? []
      : [{ path: [...(isList ? ['items', index] : []), 'data', 'release'], value: data }],
  );
  if (edits.length === 0) return { findings };
  const withData = (object: JsonValue, data: string | undefined): JsonValue =>
    data === undefined
      ? object
      : {
          ...(object as JsonObject),
          data: { ...((object as JsonObject).data as JsonObject), release: data },
        };
  const newValue = isList
    ? { ...value, items: objects.map((object, index) => withData(object, checked[index]?.data)) }
    : withData(value, checked[0]?.data);
  const edited = editDocument(text, edits, newValue);
  return edited === undefined ? { findings: findings.map(notFixed) } : { findings, text: edited };
}

const NOTHING: CheckedRelease = { findings: [] };

const notFixed = ({ fixed: _, problems: __, ...finding }: PlacedFinding): PlacedFinding => finding;
