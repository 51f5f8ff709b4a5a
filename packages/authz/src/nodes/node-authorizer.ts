import {
  type AuthorizationAttributes,
  type AuthorizationDecision,
  type Authorizer,
  goQuote,
  groupName,
  ParseError,
  parseFieldSelector,
  systemNamespace,
  type Vocabulary,
} from '@ashlar/core';
import { type PolicyRule, ruleAllows } from '../rbac/policy-rule.ts';
import type { NodeGraph } from './node-graph.ts';
import { nodeNameOf } from './node-identity.ts';

export interface NodeAuthorizerOptions {
  readonly vocabulary: Vocabulary;
  /** The graph of objects by node. */
  readonly graph: NodeGraph;
  /** Rules for resources that are not specific to a node: those of the role `system:node`. Read when a node needs them. */
  readonly rules: readonly PolicyRule[];
}

const ALLOWED: AuthorizationDecision = { decision: 'allow' };
const SILENT: AuthorizationDecision = { decision: 'no-opinion' };
const NONE = { resourceRules: [], nonResourceRules: [] };

const no = (reason: string): AuthorizationDecision => ({ decision: 'no-opinion', reason });

type NodeRule = (node: string, attributes: AuthorizationAttributes) => AuthorizationDecision;

/**
 * Allows nodes access to themselves and to objects of their pods, and never denies (semantics/access#nodes).
 * Users that are not nodes get no opinion.
 * @example
 * const graph = new NodeGraph(vocabulary);
 * const authorizer = createUnionAuthorizer([createNodeAuthorizer({ vocabulary, graph, rules }), rbac]);
 */
export function createNodeAuthorizer(options: NodeAuthorizerOptions): Authorizer {
  const authorizers = authorizersOf(options.vocabulary, options.graph);
  return {
    authorize(attributes) {
      const node = nodeNameOf(attributes.user);
      if (node === undefined) return SILENT;
      if (node === '') return no(`unknown node for user ${goQuote(attributes.user.name)}`);
      const { isResourceRequest, apiGroup, resource } = attributes;
      const authorizer = isResourceRequest ? authorizers.get(`${resource}.${apiGroup}`) : undefined;
      if (authorizer) return authorizer(node, attributes);
      return options.rules.some((rule) => ruleAllows(rule, attributes)) ? ALLOWED : SILENT;
    },
    rules(user) {
      const isNode = nodeNameOf(user) !== undefined;
      const errors = isNode ? ['node authorizer does not support user rule resolution'] : [];
      return { ...NONE, incomplete: isNode, errors };
    },
  };
}

function authorizersOf(vocabulary: Vocabulary, graph: NodeGraph): ReadonlyMap<string, NodeRule> {
  const storage = groupName(vocabulary, 'storage.');
  const coordination = groupName(vocabulary, 'coordination.');
  const devices = groupName(vocabulary, 'resource.');
  const related: NodeRule = (node, { resource, namespace, name }) => {
    if (name === '') return no('No Object name found');
    return graph.relates(node, resource, namespace, name) ? ALLOWED : unrelated(node);
  };
  const reading: NodeRule = (node, attributes) => {
    const { verb, subresource, namespace } = attributes;
    if (!isRead(verb)) return no('can only read resources of this type');
    if (subresource !== '') return no('cannot read subresource');
    return namespace === '' ? no('can only read namespaced object of this type') : related(node, attributes);
  };
  const getting: NodeRule = (node, attributes) => {
    if (attributes.verb !== 'get') return no('can only get individual resources of this type');
    return attributes.subresource === '' ? related(node, attributes) : no('cannot get subresource');
  };
  return new Map<string, NodeRule>([
    ['secrets.', reading],
    ['configmaps.', reading],
    ['persistentvolumeclaims.', claims(related, getting)],
    ['persistentvolumes.', getting],
    [`volumeattachments.${storage}`, getting],
    ['serviceaccounts.', tokens(related)],
    [`leases.${coordination}`, leases(systemNamespace(vocabulary, 'node-lease'))],
    [`csinodes.${storage}`, csiNodes],
    [`resourceclaims.${devices}`, getting],
    [`resourceslices.${devices}`, slices(related)],
    ['nodes.', nodes],
    ['pods.', pods(related, getting)],
  ]);
}

const isRead = (verb: string): boolean => verb === 'get' || verb === 'list' || verb === 'watch';
const isChange = (verb: string): boolean => verb === 'update' || verb === 'patch';
const isOwnVerb = (verb: string): boolean =>
  verb === 'get' || verb === 'create' || isChange(verb) || verb === 'delete';

const unrelated = (node: string): AuthorizationDecision =>
  no(`no relationship found between node '${node}' and this object`);

const claims =
  (related: NodeRule, getting: NodeRule): NodeRule =>
  (node, attributes) => {
    if (attributes.subresource !== 'status') return getting(node, attributes);
    return isChange(attributes.verb) ? related(node, attributes) : no('can only get/update/patch this type');
  };

const tokens =
  (related: NodeRule): NodeRule =>
  (node, attributes) => {
    const { verb, name, subresource } = attributes;
    if (verb !== 'create' || name === '') return no('can only create tokens for individual service accounts');
    if (subresource !== 'token') return no('can only create token subresource of serviceaccount');
    return related(node, attributes);
  };

const leases =
  (home: string): NodeRule =>
  (node, { verb, namespace, name }) => {
    if (!isOwnVerb(verb)) return no('can only get, create, update, patch, or delete a node lease');
    if (namespace !== home) return no(`can only access leases in the ${goQuote(home)} system namespace`);
    // a new object has no name yet: admission checks it
    if (verb !== 'create' && name !== node)
      return no('can only access node lease with the same name as the requesting node');
    return ALLOWED;
  };

const csiNodes: NodeRule = (node, { verb, subresource, name }) => {
  if (!isOwnVerb(verb)) return no('can only get, create, update, patch, or delete a CSINode');
  if (subresource !== '') return no('cannot authorize CSINode subresources');
  if (verb !== 'create' && name !== node)
    return no('can only access CSINode with the same name as the requesting node');
  return ALLOWED;
};

const slices =
  (related: NodeRule): NodeRule =>
  (node, attributes) => {
    const { verb, subresource } = attributes;
    if (subresource !== '') return no('cannot authorize ResourceSlice subresources');
    // admission checks whose slice it is
    if (verb === 'create') return ALLOWED;
    if (verb === 'get' || isChange(verb) || verb === 'delete') return related(node, attributes);
    if (isRead(verb) || verb === 'deletecollection')
      return selectsNode(attributes, 'spec.nodeName', node)
        ? ALLOWED
        : no('can only list/watch/deletecollection resourceslices with nodeName field selector');
    return no(
      'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection',
    );
  };

const nodes: NodeRule = (node, { verb, subresource, name }) => {
  if (subresource === 'status') return isChange(verb) ? ALLOWED : SILENT;
  if (subresource !== '') return SILENT;
  // admission checks which node is changed
  if (verb === 'create' || isChange(verb)) return ALLOWED;
  if (!isRead(verb)) return SILENT;
  if (name === node) return ALLOWED;
  const what = name === '' ? 'all nodes' : `'${name}'`;
  return no(`node '${node}' cannot read ${what}, only its own Node object`);
};

const pods =
  (related: NodeRule, getting: NodeRule): NodeRule =>
  (node, attributes) => {
    const { verb, subresource, name } = attributes;
    if (subresource === 'status') return isChange(verb) ? ALLOWED : SILENT;
    if (subresource === 'eviction') return verb === 'create' ? ALLOWED : SILENT;
    if (subresource !== '') return SILENT;
    if (verb === 'create' || verb === 'delete') return ALLOWED;
    if (verb === 'get') return getting(node, attributes);
    if (!isRead(verb)) return SILENT;
    if (selectsNode(attributes, 'spec.nodeName', node)) return ALLOWED;
    return name === ''
      ? no('can only list/watch pods with spec.nodeName field selector')
      : related(node, attributes);
  };

function selectsNode({ fieldSelector = '' }: AuthorizationAttributes, path: string, node: string): boolean {
  try {
    return parseFieldSelector(fieldSelector).requirements.some(
      ({ field, operator, value }) => field === path && operator === '=' && value === node,
    );
  } catch (error) {
    // an invalid selector selects nothing
    if (ParseError.is(error)) return false;
    throw error;
  }
}
