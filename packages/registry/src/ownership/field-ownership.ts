import {
  type Ambient,
  type ApiObject,
  apiVersionOf,
  doneSteps,
  groupVersionKindText,
  type JsonObject,
  type JsonValue,
  type ManagedFieldsEntry,
  StatusError,
  type Steps,
  timestampText,
} from '@ashlar/core';
import {
  compileKindFieldType,
  FieldManager,
  FieldSet,
  type FieldType,
  fieldPath,
  type KindVersions,
} from '@ashlar/field-manager';
import { type ResourceDefinition, type ResourceVersion, viewsOf } from '../definition/resource-definition.ts';
import type { RequestContext } from '../definition/resource-storage.ts';
import type { ViewSubresource } from '../definition/subresource-kinds.ts';
import { withCanonicalMetadata } from '../objects/canonical-object.ts';
import { objectDecoder } from '../objects/create-object-decoder.ts';
import { ScaleOwnership } from './scale-ownership.ts';

/** Tracks field ownership of one resource type, with a field manager for each endpoint (semantics/apply). */
export class FieldOwnership {
  readonly #definition: ResourceDefinition;
  readonly #ambient: Ambient;
  readonly #managers: Map<string, FieldManager> = new Map();
  readonly #scales: Map<string, ScaleOwnership> = new Map();
  readonly #convert: KindVersions['convert'];

  /** @param convert how objects get into other versions; by default by what their versions say */
  constructor(
    definition: ResourceDefinition,
    ambient: Ambient,
    convert: KindVersions['convert'] = conversionOf(definition),
  ) {
    this.#definition = definition;
    this.#ambient = ambient;
    this.#convert = convert;
  }

  /**
   * Returns an object with the managed fields of a create, update or patch.
   * @param isSmall whether both objects are known to be small; default false
   */
  *updateSteps(
    context: RequestContext,
    subresource: string,
    live: ApiObject | undefined,
    next: ApiObject,
    isSmall = false,
  ): Steps<ApiObject> {
    const scale = this.#scale(context.version, subresource);
    if (scale && live) return yield* scale.updateSteps(live, next, context.fieldManager);
    const manager = this.#manager(context.version, subresource);
    const owned = yield* manager.updateSteps(live, next, { manager: context.fieldManager, isSmall });
    if (live && (yield* this.#isLostSteps(context.version, live, owned)))
      return withCanonicalMetadata(owned, { managedFields: undefined });
    return this.#view(context.version, subresource) ? withoutTimes(owned, subresource) : owned;
  }

  /** Returns a new object of whose fields it is known who owns them. */
  withKnownFields(context: RequestContext, object: ApiObject, fieldsV1: JsonObject): ApiObject {
    const owner: ManagedFieldsEntry = {
      manager: context.fieldManager,
      operation: 'Update',
      apiVersion: apiVersionOf({ group: this.#definition.group, version: context.version }),
      time: timestampText(this.#ambient.clock.now()),
      fieldsType: 'FieldsV1',
      fieldsV1,
    };
    return withCanonicalMetadata(object, { managedFields: [owner] });
  }

  /**
   * Whether ownership is unknown: another version has owners, and the object has fields that do not exist in that version.
   */
  *#isLostSteps(version: string, live: ApiObject, next: ApiObject): Steps<boolean> {
    const { dialect, group, versions } = this.#definition;
    if (dialect !== 'custom' || versions.length === 1) return false;
    const owners = new Set((next.metadata.managedFields ?? []).map(({ apiVersion }) => apiVersion));
    for (const other of versions) {
      const apiVersion = apiVersionOf({ group, version: other.name });
      if (other.name === version || !owners.has(apiVersion)) continue;
      const decoder = objectDecoder(this.#definition, other);
      for (const object of [live, next]) {
        const form = this.#inVersion(object, apiVersion);
        if (!form || (yield* decoder.pruneSteps(form)) !== form) return true;
      }
    }
    return false;
  }

  #inVersion(object: ApiObject, apiVersion: string): ApiObject | undefined {
    try {
      return this.#convert(object as unknown as JsonObject, apiVersion) as unknown as ApiObject;
    } catch {
      return undefined;
    }
  }

  #view(version: string, subresource: string): ViewSubresource | undefined {
    const found = this.#definition.versions.find(({ name }) => name === version);
    return found && viewsOf(this.#definition, found).find(({ name }) => name === subresource);
  }

  /** Returns an error of an apply to a view with the view's kind. */
  #toViewError(error: unknown, version: string, subresource: string): unknown {
    const view = this.#view(version, subresource);
    if (!view || !StatusError.is(error)) return error;
    const { group, names } = this.#definition;
    const own = groupVersionKindText({ group, version, kind: names.kind });
    const { code, reason, message, details } = error;
    const text = message.replace(`; ${own})`, `; ${groupVersionKindText(view)})`);
    return text === message
      ? error
      : new StatusError({ code, reason, message: text, ...(details && { details }) });
  }

  /**
   * Returns an object with an applied configuration merged, not yet defaulted; of a view with replicas the view, which
   * {@link ownedAfterApplySteps} expects.
   * @throws StatusError 400, 409
   */
  *applySteps(
    context: RequestContext,
    subresource: string,
    live: ApiObject | undefined,
    configuration: JsonValue,
    { force, isSmall = false }: { readonly force: boolean; readonly isSmall?: boolean },
  ): Steps<ApiObject> {
    const scale = this.#scale(context.version, subresource);
    if (scale && live)
      return yield* scale.applySteps(live, configuration, { manager: context.fieldManager, force });
    const manager = this.#manager(context.version, subresource);
    try {
      return yield* manager.applySteps(live, configuration, {
        manager: context.fieldManager,
        force,
        isSmall,
      });
    } catch (error) {
      throw this.#toViewError(error, context.version, subresource);
    }
  }

  /**
   * Returns the completed object of an apply with its managed fields.
   * @param merged what {@link applySteps} has returned
   */
  ownedAfterApplySteps(
    { version }: RequestContext,
    subresource: string,
    live: ApiObject,
    completed: ApiObject,
    merged: ApiObject,
  ): Steps<ApiObject> {
    return this.#scale(version, subresource)?.settleSteps(live, completed, merged) ?? doneSteps(completed);
  }

  /** Whether a write that changes nothing but the times of owners is kept: owners of replicas lose theirs through the scale. */
  tracksReplicas({ version }: RequestContext, subresource: string): boolean {
    return this.#scale(version, subresource) !== undefined;
  }

  #scale(version: string, subresource: string): ScaleOwnership | undefined {
    if (subresource === '') return undefined;
    const name = `${version}/${subresource}`;
    const view = this.#scales.has(name) ? undefined : this.#view(version, subresource);
    if (view?.replicasPath)
      this.#scales.set(name, new ScaleOwnership(this.#definition, version, view, this.#ambient));
    return this.#scales.get(name);
  }

  #manager(version: string, subresource: string): FieldManager {
    const name = `${version}/${subresource}`;
    let manager = this.#managers.get(name);
    if (!manager) {
      manager = this.#make(version, subresource);
      this.#managers.set(name, manager);
    }
    return manager;
  }

  #make(version: string, subresource: string): FieldManager {
    const { group, names } = this.#definition;
    const { clock, vocabulary } = this.#ambient;
    const found = this.#definition.versions.find(({ name }) => name === version);
    const emptyObject = found && objectDecoder(this.#definition, found).emptyObject;
    return new FieldManager({
      kind: { group, version, kind: names.kind },
      ...(subresource && { subresource }),
      versions: kindVersions(this.#definition, subresource, this.#convert),
      clock,
      vocabulary,
      ...(emptyObject && { emptyObject }),
    });
  }
}

/** Removes the times of managers that write through a view. */
function withoutTimes(object: ApiObject, subresource: string): ApiObject {
  const managedFields = (object.metadata.managedFields ?? []).map((entry) => {
    if (entry.subresource !== subresource) return entry;
    const { time: _, ...rest } = entry;
    return rest;
  });
  return withCanonicalMetadata(object, { managedFields });
}

const byApiVersionOf = (definition: ResourceDefinition): ReadonlyMap<string, ResourceVersion> =>
  new Map(
    definition.versions.map((version) => [
      apiVersionOf({ group: definition.group, version: version.name }),
      version,
    ]),
  );

function conversionOf(definition: ResourceDefinition): KindVersions['convert'] {
  const byApiVersion = byApiVersionOf(definition);
  return (object, apiVersion) => {
    const from = byApiVersion.get(String(object.apiVersion));
    return convertBetween(object, from, byApiVersion.get(apiVersion), apiVersion);
  };
}

function kindVersions(
  definition: ResourceDefinition,
  subresource: string,
  convert: KindVersions['convert'],
): KindVersions {
  const byApiVersion = byApiVersionOf(definition);
  const reset = resetFields(definition, subresource);
  const none = FieldSet.of();
  const { dialect, group } = definition;
  return {
    // custom objects of one group have no form in another
    ...(dialect === 'custom' && { isConvertible: (apiVersion) => groupOf(apiVersion) === group }),
    typeOf(apiVersion) {
      const version = byApiVersion.get(apiVersion);
      return version && fieldType(version);
    },
    convert,
    resetFields: (apiVersion) => reset.get(apiVersion) ?? none,
  };
}

const groupOf = (apiVersion: string): string => apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/')));

/** Converts through the stored version; versions without a conversion have the same fields. */
function convertBetween(
  object: JsonObject,
  from: ResourceVersion | undefined,
  to: ResourceVersion | undefined,
  apiVersion: string,
): JsonObject {
  const original = object as unknown as ApiObject;
  const stored = from?.toStorage?.(original) ?? original;
  const converted = to?.fromStorage?.(stored) ?? stored;
  return { ...converted, apiVersion } as unknown as JsonObject;
}

/** Returns the fields that writes to an endpoint do not own, by version: those of the kind, else status and spec from each other (semantics/apply#reset-fields). */
function resetFields(
  { group, versions, strategy }: ResourceDefinition,
  subresource: string,
): ReadonlyMap<string, FieldSet> {
  return new Map(
    versions.map(({ name, subresources = [] }) => {
      const own = subresources.find((candidate) => candidate.name === subresource);
      const hasStatus = subresources.some((candidate) => candidate.name === 'status');
      const standard = subresource === 'status' ? [['spec']] : [];
      const fields = subresource
        ? (own?.resetFields ?? standard)
        : (strategy.resetFields ?? (hasStatus ? [['status']] : []));
      return [
        apiVersionOf({ group, version: name }),
        FieldSet.of(...fields.map((path) => fieldPath(...path))),
      ];
    }),
  );
}

const compiled: WeakMap<ResourceVersion, FieldType> = new WeakMap();

/** Returns the field type of a version, compiled once for all servers. */
export function fieldType(version: ResourceVersion): FieldType {
  let type = compiled.get(version);
  if (!type) {
    type = compileKindFieldType(version.schema);
    compiled.set(version, type);
  }
  return type;
}
