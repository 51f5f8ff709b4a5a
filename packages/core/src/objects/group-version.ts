/** A group and a version; the core group is the empty string. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}
/** The type of an object: "GVK". */
export interface GroupVersionKind extends GroupVersion {
  readonly kind: string;
}
/** A resource in any version, by its plural: "GR". */
export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}
/** A resource as it is served, by its plural: "GVR". */
export interface GroupVersionResource extends GroupVersion, GroupResource {}

/** The `apiVersion` of a group and version: `v1`, `apps/v1`. */
export function apiVersionOf({ group, version }: GroupVersion): string {
  return group === '' ? version : `${group}/${version}`;
}

/**
 * Parses an `apiVersion`; undefined if it has more than one slash. The empty string is the empty group and
 * version.
 */
export function parseApiVersion(text: string): GroupVersion | undefined {
  const slash = text.indexOf('/');
  if (slash < 0) return { group: '', version: text };
  if (text.indexOf('/', slash + 1) >= 0) return undefined;
  return { group: text.slice(0, slash), version: text.slice(slash + 1) };
}

/** `deployments.apps`, and plain `pods` for the core group: "GR" of semantics/status. */
export function groupResourceText({ group, resource }: GroupResource): string {
  return group === '' ? resource : `${resource}.${group}`;
}

/** `Deployment.apps`, and plain `Pod` for the core group. */
export function groupKindText({ group, kind }: { group: string; kind: string }): string {
  return group === '' ? kind : `${kind}.${group}`;
}

/** `apps/v1, Kind=Deployment`, `/v1, Kind=Pod`: how messages print a kind. */
export function groupVersionKindText({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}, Kind=${kind}`;
}

/** Possible meanings of a resource argument on a command line. */
export interface ResourceArgument {
  /** `deployments.apps`: everything after the first dot is the group. */
  readonly groupResource: GroupResource;
  /** `deployments.v1.apps`: with two dots or more, the second part may also be a version. */
  readonly versioned?: GroupVersionResource;
}

/** Parses a resource as it is written on command lines. */
export function parseResourceArgument(text: string): ResourceArgument {
  const [resource = '', ...rest] = text.split('.');
  const groupResource = { group: rest.join('.'), resource };
  if (rest.length < 2) return { groupResource };
  const [version = '', ...group] = rest;
  return { groupResource, versioned: { group: group.join('.'), version, resource } };
}
