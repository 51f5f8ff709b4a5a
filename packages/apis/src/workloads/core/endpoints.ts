import {
  type ApiObject,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  FieldErrors,
  MAXIMUM_FIELD_ERRORS,
  qualifiedNameErrors,
  requiredChoiceErrors,
  type Steps,
  type Vocabulary,
  validateIpAddress,
} from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, column, nameColumn } from '../../types/columns.ts';
import { firstOf } from '../cells.ts';
import { eachSteps, follows, hostAddress, named, optionalFollows, portNumber } from '../field-rules.ts';
import { endpointsSchema } from '../shapes/core/endpoints.ts';
import { PROTOCOLS } from '../shapes/shared/enumerations.ts';
import { workloadType } from '../workload-type.ts';

interface Address {
  readonly ip?: string;
  readonly hostname?: string;
  readonly nodeName?: string;
}

interface Port {
  readonly name?: string;
  readonly port?: number;
  readonly protocol?: string;
  readonly appProtocol?: string;
}

interface Subset {
  readonly addresses?: readonly Address[];
  readonly notReadyAddresses?: readonly Address[];
  readonly ports?: readonly Port[];
}

/** The endpoints of a service. */
interface Endpoints extends ApiObject {
  readonly subsets?: readonly Subset[];
}

/** Endpoints (semantics/verbs#kinds, semantics/tables#built-in-columns). */
export function endpoints(_vocabulary: Vocabulary): ResourceDefinition {
  return workloadType({
    group: '',
    kind: 'Endpoints',
    plural: 'endpoints',
    shortNames: ['ep'],
    scope: 'Namespaced',
    schema: endpointsSchema,
    columns: [
      nameColumn,
      column('Endpoints', 'Addresses with their ports.', ({ subsets = [] }: Endpoints) =>
        firstOf(subsetTexts(subsets), subsets.length === 0 ? '<none>' : '', pairsOf(subsets)),
      ),
      ageColumn,
    ],
    strategy: { allowsCreateOnUpdate: true, validateSteps: errorsSteps, validateUpdateSteps: errorsSteps },
  });
}

/** Each port with each address: far more than an object has values, so that they are made one by one. */
function* subsetTexts(subsets: readonly Subset[]): Iterable<string> {
  for (const { addresses = [], ports = [] } of subsets) {
    if (ports.length === 0) for (const { ip = '' } of addresses) yield ip;
    for (const { port } of ports) for (const { ip = '' } of addresses) yield `${hostOf(ip)}:${port}`;
  }
}

const hostOf = (ip: string): string => (ip.includes(':') ? `[${ip}]` : ip);

/** How many of these there are. */
function pairsOf(subsets: readonly Subset[]): number {
  let count = 0;
  for (const { addresses = [], ports = [] } of subsets) count += addresses.length * (ports.length || 1);
  return count;
}

const SUBSETS_PER_STEP = 16;

function* errorsSteps({ subsets }: Endpoints): Steps<readonly FieldError[]> {
  const errors: FieldError[] = [];
  for (const [index, subset] of (subsets ?? []).entries()) {
    for (const error of yield* subsetErrorsSteps(subset, `subsets[${index}]`)) errors.push(error);
    if (errors.length > MAXIMUM_FIELD_ERRORS) break;
    if (index % SUBSETS_PER_STEP === 0) yield;
  }
  return errors;
}

function* subsetErrorsSteps(subset: Subset, path: string): Steps<readonly FieldError[]> {
  const { addresses = [], notReadyAddresses = [], ports = [] } = subset;
  const isEmpty = addresses.length === 0 && notReadyAddresses.length === 0;
  return [
    ...(isEmpty ? [FieldErrors.required(path, 'must specify `addresses` or `notReadyAddresses`')] : []),
    ...(yield* eachSteps(`${path}.addresses`, addresses, addressErrors)),
    ...(yield* eachSteps(`${path}.notReadyAddresses`, notReadyAddresses, addressErrors)),
    ...(yield* eachSteps(`${path}.ports`, ports, (port, at) => portErrors(port, at, ports.length > 1))),
  ];
}

function addressErrors({ ip = '', hostname, nodeName }: Address, path: string): readonly FieldError[] {
  return [
    ...validateIpAddress(`${path}.ip`, ip),
    ...optionalFollows(`${path}.hostname`, hostname, dns1123LabelErrors),
    ...(nodeName === undefined ? [] : follows(`${path}.nodeName`, nodeName, dns1123SubdomainErrors)),
    ...hostAddress(`${path}.ip`, ip),
  ];
}

function portErrors(
  { name, port, protocol, appProtocol }: Port,
  path: string,
  isNamed: boolean,
): readonly FieldError[] {
  return [
    ...(isNamed
      ? named(`${path}.name`, name, dns1123LabelErrors)
      : optionalFollows(`${path}.name`, name, dns1123LabelErrors)),
    ...portNumber(`${path}.port`, port),
    ...requiredChoiceErrors(`${path}.protocol`, protocol, PROTOCOLS),
    ...(appProtocol === undefined ? [] : follows(`${path}.appProtocol`, appProtocol, qualifiedNameErrors)),
  ];
}
