import { migrateManifest } from '@ashlar/apis/withdrawn';
import { DecodeError, decodeYaml, encodeUtf8 } from '@ashlar/codec';
import { isJsonObject, type JsonObject, type JsonValue, type Vocabulary } from '@ashlar/core';
import { findWithdrawn, type ManifestFinding } from '@ashlar/lifecycle';
import { parseDocument } from 'yaml';
import { withdrawnForms } from '../../../emulation/withdrawn-forms.ts';
import { checkKustomization, isKustomization } from './check-kustomization.ts';
import { checkReleasesIn } from './check-releases.ts';
import {
  type DocumentText,
  documentTexts,
  lineOfError,
  linesOfVersion,
  typesInText,
} from './document-text.ts';
import { type DocumentEdit, editDocument } from './edit-document.ts';
import type { CheckedText, DocumentCheck, PlacedFinding } from './placed-finding.ts';

/** Checks the documents of a text. */
export function checkText(text: string, check: DocumentCheck): CheckedText {
  const findings: PlacedFinding[] = [];
  let changed = '';
  let end = 0;
  for (const document of documentTexts(text)) {
    const checked = checkDocument(document, check);
    findings.push(...checked.findings);
    if (checked.text === undefined) continue;
    changed += text.slice(end, document.start) + checked.text;
    end = document.start + document.text.length;
  }
  return end === 0 ? { findings } : { findings, text: changed + text.slice(end) };
}

/** Checks a document; what cannot be parsed is reported. */
export function checkDocument(document: DocumentText, check: DocumentCheck): CheckedText {
  if (document.text.includes('{{')) return { findings: templateFindings(document, check) };
  let value: JsonValue;
  try {
    value = parsedText(document.text);
  } catch (error) {
    if (!DecodeError.is(error)) throw error;
    const line = lineOfError(document, error.message) ?? document.line;
    return { findings: [{ line, severity: 'error', message: `is no valid YAML: ${error.message}` }] };
  }
  if (check.isKustomization || isKustomization(value))
    return checkKustomization(document, value, check, checkText);
  const own = checkObjects(document, value, check);
  const { line } = document;
  const inside = { ...check, isPatch: false };
  const { text = document.text } = own;
  const now = own.text === undefined ? value : parsedText(text);
  const releases = checkReleasesIn({ text, line }, now, (part) => checkText(part, inside));
  if (!releases) return own;
  return { ...own, ...releases, findings: [...own.findings, ...releases.findings] };
}

const parsedText = (text: string): JsonValue =>
  decodeYaml(encodeUtf8(text), { maximumValues: Number.POSITIVE_INFINITY }).value;

function checkObjects(document: DocumentText, value: JsonValue, check: DocumentCheck): CheckedText {
  const found = findWithdrawn([value], check);
  if (found.length === 0) return { findings: [] };
  const findings = placed(document, found);
  if (!check.fix) return { findings };
  return check.isPatch ? fixedPatch(document, value, findings, check) : fixed(document, findings, check);
}

/** A template is searched as text: it has no values before it is rendered. */
function templateFindings(document: DocumentText, check: DocumentCheck): readonly PlacedFinding[] {
  const types = typesInText(document);
  return types.flatMap(({ apiVersion, kind, line }) => {
    const found = findWithdrawn([{ apiVersion, kind }], check);
    return found.map((details) => ({
      line,
      severity: severityOf(details),
      message: `${details.message} (a template, which is not changed)`,
      object: kind,
      details,
    }));
  });
}

const severityOf = ({ finding }: ManifestFinding): 'withdrawn' | 'deprecated' =>
  finding === 'deprecated' ? 'deprecated' : 'withdrawn';

function placed(document: DocumentText, found: readonly ManifestFinding[]): readonly PlacedFinding[] {
  const seen = new Map<string, number>();
  return found.map((details) => {
    const count = seen.get(details.apiVersion) ?? 0;
    seen.set(details.apiVersion, count + 1);
    const name = details.namespace === undefined ? details.name : `${details.namespace}/${details.name}`;
    return {
      line: linesOfVersion(document, details.apiVersion)[count] ?? document.line,
      severity: severityOf(details),
      message: details.message,
      object: name === '' ? details.kind : `${details.kind} ${JSON.stringify(name)}`,
      details,
    };
  });
}

/** Migrates each object of a document for which there is a replacement; what cannot be migrated stays as it is. */
function fixed(
  document: DocumentText,
  findings: readonly PlacedFinding[],
  { vocabulary }: DocumentCheck,
): CheckedText {
  const parsed = parseDocument(document.text).toJS({ maxAliasCount: -1 }) as JsonValue;
  const edits: DocumentEdit[] = [];
  const migrated = new Map<number, Pick<PlacedFinding, 'fixed' | 'problems'>>();
  const migratedDocument = migrateObjects(parsed, [], (manifest, path) => {
    const index = findings.findIndex(
      ({ details }, at) => !migrated.has(at) && details !== undefined && isAbout(details, manifest),
    );
    const details = findings[index]?.details;
    const migration =
      details?.replacement && migrationOf(manifest, details.replacement.apiVersion, vocabulary);
    if (index >= 0) migrated.set(index, migration ? { fixed: true, problems: migration.problems } : {});
    if (!migration) return manifest;
    edits.push(...migration.edits.map((edit) => ({ ...edit, path: [...path, ...edit.path] })));
    return migration.manifest;
  });
  if (edits.length === 0) return { findings };
  const text = editDocument(document.text, edits, migratedDocument);
  if (text === undefined) return { findings };
  return { text, findings: findings.map((finding, index) => ({ ...finding, ...migrated.get(index) })) };
}

/**
 * Migrates a patch if nothing but its version changes: what it does not name is not the default of its version, but what the patched object
 * has. Other patches stay as they are, whole.
 */
function fixedPatch(
  document: DocumentText,
  value: JsonValue,
  findings: readonly PlacedFinding[],
  { vocabulary }: DocumentCheck,
): CheckedText {
  const [finding, ...more] = findings;
  const replacement = finding?.details?.replacement;
  if (!finding || more.length > 0 || !replacement || !isJsonObject(value))
    return { findings: findings.map(leftPatch) };
  const migration = migrationOf(value, replacement.apiVersion, vocabulary);
  const [version, ...others] = migration?.edits ?? [];
  if (!version || !others.every((edit) => isDefault(edit, value))) return { findings: [leftPatch(finding)] };
  const text = editDocument(document.text, [version], { ...value, apiVersion: replacement.apiVersion });
  return text === undefined
    ? { findings: [leftPatch(finding)] }
    : { text, findings: [{ ...finding, fixed: true }] };
}

const leftPatch = (finding: PlacedFinding): PlacedFinding => ({
  ...finding,
  message: `${finding.message} (a patch, which is not changed: its fields are others in the new version)`,
});

/** Whether a change only writes out a default of a field of the object that a patch does not name. */
function isDefault({ path, value }: DocumentEdit, patch: JsonObject): boolean {
  let at: JsonValue | undefined = patch;
  for (const step of path) at = typeof step === 'string' && at && isJsonObject(at) ? at[step] : undefined;
  return value !== undefined && at === undefined && path.every((step) => typeof step === 'string');
}

const isAbout = ({ apiVersion, kind, name }: ManifestFinding, manifest: JsonObject): boolean =>
  manifest.apiVersion === apiVersion &&
  manifest.kind === kind &&
  ((manifest.metadata as JsonObject | undefined)?.name ?? '') === name;

/** Undefined if a manifest cannot be read in its version, or there is none that means the same. */
function migrationOf(
  manifest: JsonObject,
  to: string,
  vocabulary: Vocabulary,
): ReturnType<typeof migrateManifest> {
  const forms = withdrawnForms(vocabulary);
  const [from, now] = [manifest.apiVersion, to].map((version) => forms.get(`${version} ${manifest.kind}`));
  if (!from || !now) return undefined;
  try {
    return migrateManifest(manifest, from, now);
  } catch {
    return undefined;
  }
}

function migrateObjects(
  value: JsonValue,
  path: readonly (string | number)[],
  migrate: (manifest: JsonObject, path: readonly (string | number)[]) => JsonValue,
): JsonValue {
  if (!isJsonObject(value)) return value;
  const { items, kind } = value;
  if (!Array.isArray(items) || typeof kind !== 'string' || !kind.endsWith('List'))
    return migrate(value, path);
  return {
    ...value,
    items: items.map((item, index) => migrateObjects(item, [...path, 'items', index], migrate)),
  };
}
