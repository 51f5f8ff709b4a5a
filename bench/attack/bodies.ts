import type { Caller, SizedAttack } from './attack.ts';
import type { HostileRequest } from './raw-request.ts';

/** A path where any user may send a body that is discarded. */
export const ACCESS_REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
/** A path where the tenant may write; nothing is stored. */
export const DRY_MAPS = '/api/v1/namespaces/tenant/configmaps?dryRun=All';
export const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

type Body = string | Uint8Array;

/** An attack by the body of a POST. @param type media type of the body */
export function posted(
  caller: Caller,
  path: string,
  type: string,
  name: string,
  sends: string,
  n: number,
  body: (n: number) => Body,
  more: Partial<SizedAttack> = {},
): SizedAttack {
  return { name, sends, caller, n, request: (size) => bodyRequest('POST', path, type, body(size)), ...more };
}

export function bodyRequest(method: string, path: string, type: string, body: Body): HostileRequest {
  return { method, path, headers: [`Content-Type: ${type}`], body };
}

/** The name of an attack as the value of a label. */
export const labelOf = (attack: string): string => attack.replaceAll(' ', '-');

/** A create of a config map with a label, by which policies or webhooks match it; nothing is stored. @param data members of its data, as JSON */
export function labelledMap(label: string, value: string, data: string): HostileRequest {
  const body = `{"metadata":{"name":"a","labels":{"${label}":"${value}"}},"data":{${data}}}`;
  return bodyRequest('POST', DRY_MAPS, 'application/json', body);
}

/** Strings `make(0)…make(count - 1)`, joined. */
export function listed(count: number, make: (i: number) => string, separator = ','): string {
  return Array.from({ length: count }, (_, i) => make(i)).join(separator);
}

/** A definition of `PLURAL.attack.example.com` with a schema of `spec`. */
export function definitionOf(plural: string, spec: object): object {
  const kind = plural.charAt(0).toUpperCase() + plural.slice(1);
  const openAPIV3Schema = {
    type: 'object',
    properties: { spec },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.attack.example.com` },
    spec: {
      group: 'attack.example.com',
      scope: 'Namespaced',
      names: { plural, singular: `${plural}one`, kind, listKind: `${kind}List` },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

/** A path where the tenant creates objects of such a definition. */
export function dryCustomPath(plural: string): string {
  return `/apis/attack.example.com/v1/namespaces/tenant/${plural}?dryRun=All`;
}
