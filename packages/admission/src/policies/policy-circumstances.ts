import {
  type ApiObject,
  type Authorizer,
  type LabelSelector,
  orchVocabulary,
  type UserInfo,
  type Vocabulary,
} from '@ashlar/core';
import type { MatchingEnvironment } from '../webhooks/webhook-matching.ts';
import type { FindParameters } from './policy-parameters.ts';

/** Who writes by default. */
export const ADMINISTRATOR: UserInfo = {
  name: 'system:admin',
  groups: ['system:masters', 'system:authenticated'],
};

/** What policies read besides the write that they are about, without a server that stores it. */
export interface PolicyCircumstances {
  /** Who writes; default: `system:admin`. */
  readonly user?: UserInfo;
  /** Answers for `authorizer`; by default nothing is allowed. */
  readonly authorizer?: Authorizer;
  /** Namespaces, for selectors and `namespaceObject`; any other has its name as its only label. */
  readonly namespaces?: readonly ApiObject[];
  /** Objects that policies may use as parameters. */
  readonly params?: readonly ApiObject[];
  /** Returns the type of a kind of parameters; undefined if there is no such kind. By default the kinds of `params` exist. */
  readonly findParamKind?: (apiVersion: string, kind: string) => ParamKindType | undefined;
  /** Default: the names of the specification. */
  readonly vocabulary?: Vocabulary;
}

/** The type of a kind of parameters. */
export interface ParamKindType {
  /** Its plural. */
  readonly resource: string;
  readonly isNamespaced: boolean;
}

/** What the plugins of policies consult in a server, made of given objects. */
export function matchingAmong(
  circumstances: PolicyCircumstances,
): MatchingEnvironment & { readonly parameters: FindParameters } {
  const { vocabulary = orchVocabulary, authorizer = ALLOWS_NOTHING, namespaces = [] } = circumstances;
  return {
    ...{ ambient: {}, vocabulary, authorizer },
    parameters: parametersAmong(circumstances.params ?? [], circumstances.findParamKind),
    namespace: (name) => namespaceAmong(namespaces, name, vocabulary),
  };
}

const ALLOWS_NOTHING: Authorizer = { authorize: () => ({ decision: 'no-opinion' }) };

/** The plural of a kind whose name has the usual ending. */
export function pluralOf(kind: string): string {
  const singular = kind.toLowerCase();
  if (singular.endsWith('s')) return `${singular}es`;
  return singular.endsWith('y') ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}

function namespaceAmong(objects: readonly ApiObject[], name: string, vocabulary: Vocabulary): ApiObject {
  const found = objects.find(({ metadata }) => metadata.name === name);
  const labels = { [`${vocabulary.groupDomain}/metadata.name`]: name };
  if (found)
    return { ...found, metadata: { ...found.metadata, labels: { ...labels, ...found.metadata.labels } } };
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
}

function parametersAmong(
  objects: readonly ApiObject[],
  findParamKind: PolicyCircumstances['findParamKind'],
): FindParameters {
  return ({ apiVersion = '', kind = '' }) => {
    const ofKind = objects.filter((object) => object.apiVersion === apiVersion && object.kind === kind);
    const type = findParamKind?.(apiVersion, kind) ?? typeOf(ofKind, kind);
    if (!type) return undefined;
    const inNamespace = (namespace: string): readonly ApiObject[] =>
      ofKind.filter(({ metadata }) => (metadata.namespace ?? '') === namespace);
    return {
      ...type,
      get: (namespace, name) => inNamespace(namespace).find(({ metadata }) => metadata.name === name),
      list: (namespace, labels: LabelSelector) =>
        inNamespace(namespace).filter(({ metadata }) => labels.matches(metadata.labels ?? {})),
    };
  };
}

function typeOf(objects: readonly ApiObject[], kind: string): ParamKindType | undefined {
  if (objects.length === 0) return undefined;
  const isNamespaced = objects.some(({ metadata }) => metadata.namespace !== undefined);
  return { resource: pluralOf(kind), isNamespaced };
}
