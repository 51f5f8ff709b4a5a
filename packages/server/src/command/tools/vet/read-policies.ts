import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DecodeError } from '@ashlar/codec';
import type { ApiObject } from '@ashlar/core';
import { readFile } from '../../read-text-file.ts';
import { UsageError } from '../../usage-error.ts';
import { asApiObject, documentValue, manifestDocuments } from '../manifest-documents.ts';

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
