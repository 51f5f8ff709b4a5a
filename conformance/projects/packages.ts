import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { isJsonObject, type JsonObject, type JsonValue } from '@ashlar/core';
import { parseAllDocuments } from 'yaml';

/** A project whose definitions are published in a Go module. */
export interface Project {
  readonly name: string;
  readonly module: string;
  /** Which files contain its definitions. */
  readonly definitions: RegExp;
}

export const projects: readonly Project[] = [
  {
    name: 'gateway-api',
    module: 'sigs.k8s.io/gateway-api@v1.2.1',
    definitions: /^config\/crd\/experimental\//,
  },
  {
    name: 'cert-manager',
    module: 'github.com/cert-manager/cert-manager@v1.16.2',
    definitions: /^deploy\/crds\//,
  },
  { name: 'argo-cd', module: 'github.com/argoproj/argo-cd/v2@v2.13.1', definitions: /^manifests\/crds\// },
  { name: 'keda', module: 'github.com/kedacore/keda/v2@v2.16.0', definitions: /^config\/crd\/bases\// },
  {
    name: 'prometheus-operator',
    module: 'github.com/prometheus-operator/prometheus-operator@v0.78.2',
    definitions: /^example\/prometheus-operator-crd\//,
  },
  {
    name: 'istio',
    module: 'istio.io/api@v1.24.1',
    definitions: /^kubernetes\/customresourcedefinitions\.gen/,
  },
];

/** Fetches a module into a cache of its own; resolves to its folder, or to the error. */
export function fetchModule(module: string, cache: string): Promise<{ folder: string } | { error: string }> {
  const env = { ...process.env, GOMODCACHE: cache, GOFLAGS: '-modcacherw' };
  const options = { env, cwd: cache, timeout: 120_000 };
  return new Promise((resolve) => {
    execFile('go', ['mod', 'download', '-json', module], options, (error, stdout) => {
      const download = stdout.startsWith('{') ? (JSON.parse(stdout) as { Dir?: string; Error?: string }) : {};
      resolve(
        download.Dir ? { folder: download.Dir } : { error: download.Error ?? error?.message ?? 'no folder' },
      );
    });
  });
}

/** Every object in a folder's YAML files, and in the YAML blocks of its documents. */
export function* objectsIn(
  folder: string,
): Generator<{ readonly file: string; readonly object: JsonObject }> {
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const kind = extname(file);
    if (!['.yaml', '.yml', '.md'].includes(kind) || !statSync(join(folder, file)).isFile()) continue;
    const text = readFileSync(join(folder, file), 'utf8');
    for (const block of kind === '.md' ? blocksOf(text) : [text])
      for (const object of documentsOf(block)) yield { file, object };
  }
}

function blocksOf(text: string): string[] {
  return [...text.matchAll(/^```ya?ml[^\n]*\n(.*?)^```/gms)].map(([, block]) => block as string);
}

function documentsOf(text: string): JsonObject[] {
  if (!/^apiVersion:/m.test(text)) return [];
  const documents: JsonObject[] = [];
  for (const document of parseAllDocuments(withoutTemplates(text), { logLevel: 'silent' })) {
    if (!('errors' in document) || document.errors.length > 0) continue;
    const value = toJson(document);
    if (isJsonObject(value) && typeof value.apiVersion === 'string' && typeof value.kind === 'string')
      documents.push(value);
  }
  return documents;
}

/** Charts have placeholders: they are filled with valid values. */
function withoutTemplates(text: string): string {
  return text.replaceAll(/\{\{[^{}\n]*\}\}/g, 'sample');
}

function toJson(document: { toJS(): unknown }): JsonValue {
  try {
    return JSON.parse(JSON.stringify(document.toJS()) ?? 'null') as JsonValue;
  } catch {
    return null; // templates and unresolved aliases
  }
}
