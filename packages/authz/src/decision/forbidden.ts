import { type AuthorizationAttributes, goQuote, StatusError } from '@ashlar/core';

/**
 * Returns the message of a forbidden request: the user, the action and the reason of the authorizers if there is one (semantics/access#authorization).
 * Text from the request is escaped so that no browser interprets it as HTML (semantics/status#situations, below the table).
 *
 * @example
 * forbiddenMessage(attributes, ''); // User "u" cannot list resource "pods" in API group "" in the namespace "ns"
 */
export function forbiddenMessage(attributes: AuthorizationAttributes, reason: string = ''): string {
  const message = toHtmlEntities(actionText(attributes));
  return reason === '' ? message : `${message}: ${reason}`;
}

/** The rejection as a 403 (semantics/status#reasons, semantics/access#authorization). */
export function forbiddenError(attributes: AuthorizationAttributes, reason: string = ''): StatusError {
  const { isResourceRequest, apiGroup: group, resource, name } = attributes;
  const about = isResourceRequest ? { group, resource } : undefined;
  return StatusError.forbidden(about, isResourceRequest ? name : '', forbiddenMessage(attributes, reason));
}

/** `&`, `<` and `>` as entities; quotes stay. For texts that quote a request. */
export function toHtmlEntities(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function actionText(attributes: AuthorizationAttributes): string {
  const { user, verb, namespace, apiGroup } = attributes;
  const who = `User ${goQuote(user.name)} cannot ${verb}`;
  if (!attributes.isResourceRequest) return `${who} path ${goQuote(attributes.path)}`;
  const resource = attributes.subresource
    ? `${attributes.resource}/${attributes.subresource}`
    : attributes.resource;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${goQuote(namespace)}`;
  return `${who} resource ${goQuote(resource)} in API group ${goQuote(apiGroup)} ${where}`;
}
