import { migrateManifest } from '@ashlar/apis/withdrawn';
import { DecodeError, decodeYaml, encodeUtf8 } from '@ashlar/codec';
import { isJsonObject, type JsonObject, type JsonValue, type Vocabulary } from '@ashlar/core';
import { findWithdrawn, type ManifestFinding } from '@ashlar/lifecycle';
import { parseDocument } from 'yaml';
import { withdrawnForms } from '../../../emulation/withdrawn-forms.ts';
import { type DocumentText, lineOfError, linesOfVersion, typesInText } from './document-text.ts';
import { type DocumentEdit, editDocument } from './edit-document.ts';

/** A finding with its place in a file. */
export interface PlacedFinding {
  readonly line: number;
  /** An error is about a document that cannot be checked. */
  readonly severity: 'withdrawn' | 'deprecated' | 'error';
  readonly message: string;
  /** `Ingress "web"` */
  readonly object?: string;
  readonly details?: ManifestFinding;
  /** Whether the text was changed so that the finding no longer applies. */
  readonly fixed?: boolean;
  /** Why a server of the target would refuse the object even with its version changed. */
  readonly problems?: readonly string[];
}

/** Findings about a document, and its text if that is to change. */
export interface CheckedDocument {
  readonly findings: readonly PlacedFinding[];
  readonly text?: string;
}

export interface DocumentCheck {
  readonly target: string;
  readonly fix: boolean;
  /** Names of the groups without a domain. */
  readonly vocabulary: Vocabulary;
}

/** Checks a document; what cannot be parsed is reported. */
export function checkDocument(document: DocumentText, check: DocumentCheck): CheckedDocument {
  if (document.text.includes('{{')) return { findings: templateFindings(document, check) };
  let value: JsonValue;
  try {
    ({ value } = decodeYaml(encodeUtf8(document.text), { maximumValues: Number.POSITIVE_INFINITY }));
  } catch (error) {
    if (!DecodeError.is(error)) throw error;
    const line = lineOfError(document, error.message) ?? document.line;
    return { findings: [{ line, severity: 'error', message: `is no valid YAML: ${error.message}` }] };
  }
  const found = findWithdrawn([value], check);
  if (found.length === 0) return { findings: [] };
  const findings = placed(document, found);
  return check.fix ? fixed(document, findings, check) : { findings };
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
): CheckedDocument {
  const parsed = parseDocument(document.text).toJS({ maxAliasCount: -1 }) as JsonValue;
  const edits: DocumentEdit[] = [];
  const migrated = new Map<number, Pick<PlacedFinding, 'fixed' | 'problems'>>();
  const wanted = migrateObjects(parsed, [], (manifest, path) => {
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
  const text = editDocument(document.text, edits, wanted);
  if (text === undefined) return { findings };
  return { text, findings: findings.map((finding, index) => ({ ...finding, ...migrated.get(index) })) };
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
