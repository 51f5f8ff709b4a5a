import { type Schema, typeMetaProperties } from '@ashlar/core';

const META = 'apimachinery.pkg.apis.meta.v1';
const text = (description: string): Schema => ({ type: 'string', description });
const printed = (description: string): Schema => ({ ...text(description), default: '' });
const texts = (description: string): Schema => ({
  type: 'array',
  items: { type: 'string', default: '' },
  description,
});

const apiResource: Schema = {
  type: 'object',
  typeName: `${META}.APIResource`,
  description: 'A resource type, or a subresource of one.',
  required: ['name', 'singularName', 'namespaced', 'kind', 'verbs'],
  properties: {
    name: printed('As in paths; a subresource behind its resource and a slash.'),
    singularName: printed('The name of one; empty for subresources.'),
    namespaced: { type: 'boolean', default: false, description: 'Whether objects live in namespaces.' },
    group: text('The group of the kind, where it is another than that of the list.'),
    version: text('The version of the kind, where it is another than that of the list.'),
    kind: printed('What its objects are.'),
    verbs: texts('What can be done with it.'),
    shortNames: { ...texts('Shorter names for people.'), listType: 'atomic' },
    categories: { ...texts('Names by which it is asked for together with others.'), listType: 'atomic' },
    storageVersionHash: text(
      'Changes with the version in which objects are stored; compare for equality only.',
    ),
  },
};

/** The resource list of a group version, as plain discovery returns it (semantics/discovery#discovery). */
export const apiResourceListSchema: Schema = {
  type: 'object',
  typeName: `${META}.APIResourceList`,
  description: 'The resource types of a group version.',
  required: ['groupVersion', 'resources'],
  properties: {
    ...typeMetaProperties,
    groupVersion: printed('The group and version.'),
    resources: {
      type: 'array',
      items: apiResource,
      listType: 'atomic',
      description: 'Its resource types and their subresources.',
    },
  },
};

/** One event of a watch (semantics/list-and-watch#get). */
export const watchEventSchema: Schema = {
  type: 'object',
  typeName: `${META}.WatchEvent`,
  description: 'Something that happened to what is watched.',
  required: ['type', 'object'],
  properties: {
    type: printed('ADDED, MODIFIED, DELETED, BOOKMARK or ERROR.'),
    object: {
      type: 'object',
      format: 'raw-extension',
      typeName: 'apimachinery.pkg.runtime.RawExtension',
      tag: 2,
      description: 'The object as it is now, as it was before it went, or what went wrong.',
    },
  },
};

const groupVersion: Schema = {
  type: 'object',
  typeName: `${META}.GroupVersionForDiscovery`,
  description: 'A version of a group.',
  required: ['groupVersion', 'version'],
  properties: { groupVersion: printed('The group and version.'), version: printed('The version alone.') },
};

const serverAddress: Schema = {
  type: 'object',
  typeName: `${META}.ServerAddressByClientCIDR`,
  description: 'Where callers of a network reach the server.',
  required: ['clientCIDR', 'serverAddress'],
  properties: {
    clientCIDR: printed('The network of the callers.'),
    serverAddress: printed('The address for them.'),
  },
};

const serverAddresses: Schema = {
  type: 'array',
  items: serverAddress,
  listType: 'atomic',
  description: 'Where callers reach the server; the longest network that they are in counts.',
};

/** The versions of the core group (semantics/discovery#discovery). */
export const apiVersionsSchema: Schema = {
  type: 'object',
  typeName: `${META}.APIVersions`,
  description: 'The versions of the core group.',
  required: ['versions', 'serverAddressByClientCIDRs'],
  properties: {
    ...typeMetaProperties,
    versions: { ...texts('The versions.'), listType: 'atomic' },
    serverAddressByClientCIDRs: serverAddresses,
  },
};

/** A group with its versions. */
export const apiGroupSchema: Schema = {
  type: 'object',
  typeName: `${META}.APIGroup`,
  description: 'A group and its versions.',
  required: ['name', 'versions'],
  properties: {
    ...typeMetaProperties,
    name: printed('The name of the group.'),
    versions: { type: 'array', items: groupVersion, listType: 'atomic', description: 'Its versions.' },
    preferredVersion: { ...groupVersion, tag: 3, description: 'The version that the server prefers.' },
    serverAddressByClientCIDRs: serverAddresses,
  },
};

/** All groups but that of the core. */
export const apiGroupListSchema: Schema = {
  type: 'object',
  typeName: `${META}.APIGroupList`,
  description: 'The groups of the server.',
  required: ['groups'],
  properties: {
    ...typeMetaProperties,
    groups: { type: 'array', items: apiGroupSchema, listType: 'atomic', description: 'The groups.' },
  },
};

const VERSION_MEMBERS = {
  major: 'The major version.',
  minor: 'The minor version.',
  gitVersion: 'The whole version.',
  gitCommit: 'The commit from which the server was built.',
  gitTreeState: 'Whether there were changes besides.',
  buildDate: 'When it was built.',
  goVersion: 'The version of the language.',
  compiler: 'What it was built with.',
  platform: 'What it runs on.',
};

/** The version of the server (semantics/discovery#version). */
export const serverVersionSchema: Schema = {
  type: 'object',
  typeName: 'apimachinery.pkg.version.Info',
  description: 'The version of a server.',
  required: Object.keys(VERSION_MEMBERS),
  properties: Object.fromEntries(
    Object.entries(VERSION_MEMBERS).map(([name, description]) => [name, printed(description)]),
  ),
};
