import {
  type ApiObject,
  type FieldError,
  groupName,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Vocabulary,
} from '@ashlar/core';
import { optional, printed, string, type } from '../../types/schema-fields.ts';
import { compileDefaults } from '../../workloads/defaults/schema-defaults.ts';
import { ingresses } from '../../workloads/networking/ingresses.ts';
import { networkPolicies, networkPolicyRules } from '../../workloads/networking/network-policies.ts';
import { intOrString, part } from '../../workloads/shape-fields.ts';
import { ingressSchema } from '../../workloads/shapes/networking/ingress.ts';
import { networkPolicySchema } from '../../workloads/shapes/networking/network-policy.ts';
import { typedLocalObjectReference } from '../../workloads/shapes/shared/references.ts';
import { type FieldChanges, revisedSchema, withDefaults } from '../revised-schema.ts';
import {
  newObjectErrors,
  relabelled,
  type VersionDifferences,
  type WithdrawnVersion,
  withdrawnVersion,
} from '../withdrawn-version.ts';

/** Ingresses and network policies before networking/v1. */
export function withdrawnNetworking(vocabulary: Vocabulary): readonly WithdrawnVersion[] {
  const group = groupName(vocabulary, 'networking.');
  const ingress = ingresses(vocabulary);
  const extensions = { group: 'extensions', version: 'v1beta1' };
  const ingressOf = (apiVersion: string, prefix: string): VersionDifferences => ({
    schema: revisedSchema(ingressSchema, INGRESS, ['api.networking.v1.', prefix]),
    complete: completeIngress,
    toCurrent: (object) => toCurrentIngress(object, `${group}/v1`),
    fromCurrent: (object) => fromCurrentIngress(object, apiVersion),
    createErrors: (object) =>
      newObjectErrors(ingress, toCurrentIngress(object, `${group}/v1`)).map(withOldFieldNames),
  });
  return [
    withdrawnVersion(ingress, extensions, ingressOf('extensions/v1beta1', 'api.extensions.v1beta1.')),
    withdrawnVersion(
      ingress,
      { version: 'v1beta1' },
      ingressOf(`${group}/v1beta1`, 'api.networking.v1beta1.'),
    ),
    withdrawnVersion(networkPolicies(vocabulary), extensions, {
      schema: revisedSchema(networkPolicySchema, POLICY, ['api.networking.v1.', 'api.extensions.v1beta1.']),
      complete: compileDefaults(revisedSchema(networkPolicySchema, POLICY), networkPolicyRules).complete,
    }),
  ];
}

/** Ports of the oldest version have no protocol by default; what reads them counts that as TCP. */
const POLICY: FieldChanges = { 'api.networking.v1.NetworkPolicyPort': withDefaults({ protocol: undefined }) };

const backend = {
  serviceName: string(1),
  servicePort: printed(intOrString(2)),
  resource: optional(part(3, typedLocalObjectReference)),
};

const INGRESS: FieldChanges = {
  'api.networking.v1.IngressBackend': () => backend,
  'api.networking.v1.IngressSpec': ({ ingressClassName, tls, rules }) => ({
    ...(ingressClassName && { ingressClassName }),
    backend: optional(part(1, type('api.networking.v1.IngressBackend', backend))),
    ...(tls && { tls }),
    ...(rules && { rules }),
  }),
  'api.networking.v1.HTTPIngressPath': withDefaults({ pathType: 'ImplementationSpecific' }),
};

const { complete: completeIngress } = compileDefaults(revisedSchema(ingressSchema, INGRESS));

interface OldSpec {
  readonly backend?: JsonValue;
  readonly defaultBackend?: JsonValue;
  readonly rules?: readonly JsonObject[];
}

type Change = (backend: JsonValue) => JsonValue;

const toCurrentIngress = (object: ApiObject, apiVersion: string): ApiObject => {
  const { backend: oldDefault, ...spec } = (object.spec ?? {}) as OldSpec & JsonObject;
  return relabelled(apiVersion)({
    ...object,
    spec: {
      ...spec,
      ...(oldDefault !== undefined && { defaultBackend: currentBackend(oldDefault) }),
      ...withBackends(spec, currentBackend),
    },
  } as ApiObject);
};

const fromCurrentIngress = (object: ApiObject, apiVersion: string): ApiObject => {
  const { defaultBackend, ...spec } = (object.spec ?? {}) as OldSpec & JsonObject;
  return relabelled(apiVersion)({
    ...object,
    spec: {
      ...spec,
      ...(defaultBackend !== undefined && { backend: oldBackend(defaultBackend) }),
      ...withBackends(spec, oldBackend),
    },
  } as ApiObject);
};

function withBackends({ rules }: OldSpec, change: Change): JsonObject {
  if (!rules) return {};
  const changed = rules.map((rule) => {
    const paths = isJsonObject(rule.http ?? null) ? (rule.http as JsonObject).paths : undefined;
    if (!Array.isArray(paths)) return rule;
    const inPaths = paths.map((path: JsonObject) =>
      path.backend === undefined ? path : { ...path, backend: change(path.backend) },
    );
    return { ...rule, http: { ...(rule.http as JsonObject), paths: inPaths } };
  });
  return { rules: changed };
}

const currentBackend: Change = (oldBackendValue) => {
  if (!isJsonObject(oldBackendValue)) return oldBackendValue;
  const { serviceName = '', servicePort = 0, resource } = oldBackendValue;
  const isService = serviceName !== '' || (servicePort !== 0 && servicePort !== '');
  const port =
    typeof servicePort === 'string'
      ? { name: servicePort }
      : servicePort === 0
        ? {}
        : { number: servicePort };
  return {
    ...(isService && { service: { name: serviceName, port } }),
    ...(resource !== undefined && { resource }),
  } as JsonObject;
};

const oldBackend: Change = (newBackendValue) => {
  if (!isJsonObject(newBackendValue)) return newBackendValue;
  const { service, resource } = newBackendValue;
  const { name = '', port = {} } = (service ?? {}) as JsonObject;
  const { name: portName, number } = port as JsonObject;
  return {
    ...(name !== '' && { serviceName: name }),
    servicePort: portName || number || 0,
    ...(resource !== undefined && { resource }),
  } as JsonObject;
};

/** Errors name the fields of the version in which an ingress was written. */
function withOldFieldNames(error: FieldError): FieldError {
  const field = error.field
    .replace(/^spec\.defaultBackend/, 'spec.backend')
    .replace(/\.service\.port\.(?:name|number)$/, '.servicePort')
    .replace(/\.service\.name$/, '.serviceName');
  return { ...error, field, message: error.message.replace('`defaultBackend`', '`backend`') };
}
