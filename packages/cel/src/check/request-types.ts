import type { Vocabulary } from '@ashlar/core';
import type { EnvironmentOptions } from '../environment/environment.ts';
import { authorizationTypes } from '../libraries/authorization.ts';
import { isKeyword } from '../syntax/property-names.ts';
import type { ObjectType } from './declaration-scope.ts';
import { type CelType, types } from './types.ts';

const { string, bool, int, timestamp, dyn } = types;
const texts = types.list(string);
const textMap = types.map(string, string);
const extras = types.map(string, texts);

/** Declares an object type with its fields. */
export function defineObjectType(name: string, fields: Readonly<Record<string, CelType>>): ObjectType {
  return {
    name,
    fieldType: (field) => {
      const unescaped = /^__(.+)__$/.exec(field)?.[1];
      const typeField = unescaped !== undefined && isKeyword(unescaped) ? unescaped : field;
      return Object.hasOwn(fields, typeField) ? fields[typeField] : undefined;
    },
  };
}

/** Fields of object types, by the names of the types without the vocabulary's word. */
type Declarations = Readonly<Record<string, Readonly<Record<string, CelType>>>>;

function declare(
  vocabulary: Vocabulary,
  declarations: (typed: (name: string) => CelType) => Declarations,
): ObjectType[] {
  const typed = (name: string): CelType => types.object(`${vocabulary.name}.${name}`);
  return Object.entries(declarations(typed)).map(([name, fields]) =>
    defineObjectType(typed(name).name, fields),
  );
}

const USER_INFO = { username: string, uid: string, groups: texts, extra: extras };

function admissionTypes(vocabulary: Vocabulary): ObjectType[] {
  return declare(vocabulary, (typed) => ({
    GroupVersionKind: { group: string, version: string, kind: string },
    GroupVersionResource: { group: string, version: string, resource: string },
    UserInfo: USER_INFO,
    AdmissionRequest: {
      kind: typed('GroupVersionKind'),
      resource: typed('GroupVersionResource'),
      subResource: string,
      requestKind: typed('GroupVersionKind'),
      requestResource: typed('GroupVersionResource'),
      requestSubResource: string,
      name: string,
      namespace: string,
      operation: string,
      userInfo: typed('UserInfo'),
      dryRun: bool,
      options: dyn,
    },
    NamespaceSpec: { finalizers: texts },
    NamespaceCondition: {
      status: string,
      type: string,
      lastTransitionTime: timestamp,
      message: string,
      reason: string,
    },
    NamespaceStatus: { conditions: types.list(typed('NamespaceCondition')), phase: string },
    NamespaceMetadata: {
      name: string,
      generateName: string,
      namespace: string,
      labels: textMap,
      annotations: textMap,
      UID: string,
      creationTimestamp: timestamp,
      deletionGracePeriodSeconds: int,
      deletionTimestamp: timestamp,
      generation: int,
      resourceVersion: string,
      finalizers: texts,
    },
    Namespace: {
      metadata: typed('NamespaceMetadata'),
      spec: typed('NamespaceSpec'),
      status: typed('NamespaceStatus'),
    },
  }));
}

function accessReviewTypes(vocabulary: Vocabulary): ObjectType[] {
  return declare(vocabulary, (typed) => ({
    SelectorRequirement: { key: string, operator: string, values: texts },
    FieldSelectorAttributes: { rawSelector: string, requirements: types.list(typed('SelectorRequirement')) },
    LabelSelectorAttributes: { rawSelector: string, requirements: types.list(typed('SelectorRequirement')) },
    ResourceAttributes: {
      namespace: string,
      verb: string,
      group: string,
      version: string,
      resource: string,
      subresource: string,
      name: string,
      fieldSelector: typed('FieldSelectorAttributes'),
      labelSelector: typed('LabelSelectorAttributes'),
    },
    NonResourceAttributes: { path: string, verb: string },
    SubjectAccessReviewSpec: {
      resourceAttributes: typed('ResourceAttributes'),
      nonResourceAttributes: typed('NonResourceAttributes'),
      user: string,
      groups: texts,
      extra: extras,
      uid: string,
    },
  }));
}

/** Which variables a policy has, and what is known about them. */
export interface PolicyVariables {
  /** Which variables a policy has, and their types. */
  readonly object?: CelType;
  /** Type of `object` and `oldObject`; dyn by default. */
  readonly params?: CelType;
  /** Type of `params`, if the policy has them. */
  readonly authorizer?: boolean;
  /** Whether `authorizer` is available. */
  readonly objectTypes?: readonly ObjectType[];
}

/** Object types besides those of requests. */
export function policyDeclarations(
  vocabulary: Vocabulary,
  variables: PolicyVariables = {},
): EnvironmentOptions {
  const object = variables.object ?? dyn;
  const { authorizer, resourceCheck } = authorizationTypes(vocabulary);
  return {
    variables: {
      object,
      oldObject: object,
      request: types.object(`${vocabulary.name}.AdmissionRequest`),
      namespaceObject: types.object(`${vocabulary.name}.Namespace`),
      ...(variables.params && { params: variables.params }),
      ...(variables.authorizer && { authorizer, 'authorizer.requestResource': resourceCheck }),
    },
    objectTypes: [...admissionTypes(vocabulary), ...(variables.objectTypes ?? [])],
  };
}

/** Variables of expressions over the claims of a token (semantics/access). */
export function claimsDeclarations(): EnvironmentOptions {
  return { variables: { claims: types.map(string, types.any) } };
}

/** Variables of expressions over an authenticated user (semantics/access). */
export function userDeclarations(vocabulary: Vocabulary): EnvironmentOptions {
  const name = `${vocabulary.name}.UserInfo`;
  return { variables: { user: types.object(name) }, objectTypes: [defineObjectType(name, USER_INFO)] };
}

/** Variables of match conditions of authorization webhooks: the spec of the access review. */
export function accessReviewDeclarations(vocabulary: Vocabulary): EnvironmentOptions {
  const request = types.object(`${vocabulary.name}.SubjectAccessReviewSpec`);
  return { variables: { request }, objectTypes: accessReviewTypes(vocabulary) };
}
