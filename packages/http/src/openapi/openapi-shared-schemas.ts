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
