import { isJsonObject, type JsonObject, type JsonValue, parseApiVersion } from '@ashlar/core';
import { findWithdrawn } from '@ashlar/lifecycle';
import type { DocumentText } from './document-text.ts';
import { type DocumentEdit, editDocument } from './edit-document.ts';
import { inlinePatches, selectorsIn } from './kustomization.ts';
import type { CheckedText, DocumentCheck, PlacedFinding } from './placed-finding.ts';

/** Whether a document describes a kustomization. */
export const isKustomization = (value: JsonValue): boolean =>
  isJsonObject(value) &&
  (value.kind === 'Kustomization' || value.kind === 'Component') &&
  String(value.apiVersion).startsWith('kustomize.config.');

/** Findings about a part of a kustomization, and the changes of the part. */
interface CheckedPart {
  readonly findings: readonly PlacedFinding[];
  readonly edits: readonly DocumentEdit[];
}

/**
 * Checks what is written into a kustomization: patches, and the versions by which it selects objects. A version in a selector is changed only
 * if the fields of the kind are the same in both versions: the operations of a patch name fields.
 */
export function checkKustomization(
  document: DocumentText,
  value: JsonValue,
  check: DocumentCheck,
  checkText: (text: string, check: DocumentCheck) => CheckedText,
): CheckedText {
  if (!isJsonObject(value)) return { findings: [] };
  const { line, text } = document;
  const patches = inlinePatches(value).map(({ path, value: patch }): CheckedPart => {
    const checked = checkText(patch, { ...check, isKustomization: false, isPatch: true });
    const changed = checked.text;
    return {
      findings: checked.findings.map((finding) => ({ ...finding, line })),
      edits: changed === undefined ? [] : [{ path, value: changed }],
    };
  });
  const selectors = selectorsIn(value).map((selector) => checkSelector(selector, line, check));
  const parts = [...patches, ...selectors];
  const findings = parts.flatMap((part) => part.findings);
  const edits = parts.flatMap((part) => part.edits);
  if (edits.length === 0) return { findings };
  const edited = editDocument(text, edits, edits.reduce(withEdit, value));
  if (edited !== undefined) return { findings, text: edited };
  return { findings: findings.map(({ fixed: _, ...finding }) => finding) };
}

function checkSelector(
  { path, value }: { readonly path: DocumentEdit['path']; readonly value: JsonObject },
  line: number,
  check: DocumentCheck,
): CheckedPart {
  const { group = '', version, kind, name } = value;
  if (typeof group !== 'string' || typeof version !== 'string' || typeof kind !== 'string')
    return { findings: [], edits: [] };
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const [details] = findWithdrawn([{ apiVersion, kind }], check);
  if (!details) return { findings: [], edits: [] };
  const to = details.replacement && parseApiVersion(details.replacement.apiVersion);
  const isFixed = check.fix && to !== undefined && details.changes.length === 0;
  const finding: PlacedFinding = {
    line,
    severity: details.finding === 'deprecated' ? 'deprecated' : 'withdrawn',
    object: typeof name === 'string' ? `selector of ${kind} ${JSON.stringify(name)}` : `selector of ${kind}`,
    message: `${details.message}${check.fix && !isFixed ? ' (a selector, which is not changed: its patch may name fields that are others in the new version)' : ''}`,
    details,
    ...(isFixed && { fixed: true }),
  };
  if (!isFixed) return { findings: [finding], edits: [] };
  return {
    findings: [finding],
    edits: [
      { path: [...path, 'version'], value: to.version },
      ...(to.group === group ? [] : [{ path: [...path, 'group'], value: to.group }]),
    ],
  };
}

function withEdit(value: JsonValue, { path, value: replacement }: DocumentEdit): JsonObject {
  const [step, ...rest] = path;
  if (step === undefined) return replacement as JsonObject;
  const inner = (value as Record<string | number, JsonValue>)[step];
  const changed = withEdit(inner ?? {}, {
    path: rest,
    ...(replacement !== undefined && { value: replacement }),
  });
  if (!Array.isArray(value)) return { ...(value as JsonObject), [step]: changed };
  return value.map((item, index) => (index === step ? changed : item)) as never;
}
