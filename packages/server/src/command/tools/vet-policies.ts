import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { evaluatePolicies, type PolicyEvaluation } from '@ashlar/admission';
import { DecodeError } from '@ashlar/codec';
import type { ApiObject, UserInfo, Vocabulary } from '@ashlar/core';
import { readFile } from '../read-text-file.ts';
import { UsageError } from '../usage-error.ts';
import { asApiObject, documentValue, manifestDocuments } from './manifest-documents.ts';

/** Policies with what they are evaluated on besides the objects of manifests. */
export interface VettedPolicies {
  /** Policies and bindings. */
  readonly policies: readonly ApiObject[];
  readonly namespaces: readonly ApiObject[];
  /** All other objects: those that policies use as parameters. */
  readonly params: readonly ApiObject[];
}

const MANIFEST = /\.(?:ya?ml|json)$/;

/**
 * Reads policies, bindings, namespaces and parameters from a file, or from the manifests of a folder.
 * @throws UsageError
 */
export function readPolicies(path: string): VettedPolicies {
  const objects = filesOf(path).flatMap(objectsOf);
  const isPolicy = ({ kind }: ApiObject): boolean =>
    /^(?:Validating|Mutating)AdmissionPolicy(?:Binding)?$/.test(kind);
  const isNamespace = ({ apiVersion, kind }: ApiObject): boolean =>
    apiVersion === 'v1' && kind === 'Namespace';
  const policies = objects.filter(isPolicy);
  if (policies.length === 0) throw new UsageError(`flag --policies: ${path} contains no policy`);
  return {
    policies,
    namespaces: objects.filter(isNamespace),
    params: objects.filter((object) => !isPolicy(object) && !isNamespace(object)),
  };
}

function filesOf(path: string): readonly string[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  const names = readdirSync(path).filter((name) => MANIFEST.test(name));
  return names.sort().map((name) => join(path, name));
}

function objectsOf(file: string): readonly ApiObject[] {
  return manifestDocuments(file, readFile(file)).map((document) => {
    try {
      return asApiObject(documentValue(document));
    } catch (error) {
      if (!DecodeError.is(error)) throw error;
      throw new UsageError(`flag --policies: ${document.place}: ${error.message}`);
    }
  });
}

/** What policies say of one object: a line each, and whether the object is denied. */
export interface PolicyLines {
  readonly isDenied: boolean;
  readonly lines: readonly string[];
}

/**
 * Asks policies about the creation of an object.
 * @param resource plural of its kind
 * @throws UsageError for a policy that no server would store
 */
export async function vetPolicies(
  { policies, namespaces, params }: VettedPolicies,
  object: ApiObject,
  resource: string,
  { vocabulary, user }: { readonly vocabulary: Vocabulary; readonly user: UserInfo | undefined },
): Promise<PolicyLines> {
  try {
    const verdict = await evaluatePolicies({
      ...{ policies, namespaces, params, object, resource, vocabulary },
      ...(user && { user }),
    });
    return { isDenied: verdict.denial !== undefined, lines: verdict.evaluations.flatMap(linesOf) };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(`flag --policies: ${error.message}`);
  }
}

function linesOf({
  policy,
  binding,
  params,
  actions,
  failures,
  annotationErrors,
  costs,
}: PolicyEvaluation): string[] {
  const bound = binding === undefined ? '' : ` with binding ${JSON.stringify(binding)}`;
  const who = `policy ${JSON.stringify(policy)}${bound}${params === undefined ? '' : ` and parameters ${JSON.stringify(params)}`}`;
  const cost = costs.reduce((sum, each) => sum + each, 0);
  const said = actions.length === 0 ? 'says' : actions.join(', ');
  const lines = failures.map(
    ({ message, expressionIndex }) => `${who}: ${said}: ${message} (spec.validations[${expressionIndex}])`,
  );
  lines.push(...annotationErrors.map((message) => `${who}: Deny: ${message}`));
  return lines.length === 0 ? [`${who} holds, cost ${cost}`] : lines.map((line) => `${line}, cost ${cost}`);
}
