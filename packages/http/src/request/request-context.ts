import { decisionOf, forbiddenError, toHtmlEntities } from '@ashlar/authz';
import {
  type AuthorizationAttributes,
  type AuthorizationDecision,
  type Authorizer,
  andThen,
  FIELD_MANAGER_LIMIT_BYTES,
  goQuote,
  isPrintable,
  type JsonObject,
  type MaybePromise,
  utf8Prefix,
} from '@ashlar/core';
import type { RequestContext } from '@ashlar/registry';
import type { Representation } from '../encoding/representation.ts';
import { PlainTextError } from '../pipeline/plain-text-error.ts';
import type { RequestScope } from '../pipeline/request-scope.ts';
import type { ResourceRequest } from '../verbs/resource-request.ts';
import type { RequestInfo } from './request-info.ts';

/** Returns the attributes of a request for the authorizer. */
function authorizationAttributes({ user, info }: RequestScope, verb: string): AuthorizationAttributes {
  const attributes: { -readonly [K in keyof AuthorizationAttributes]: AuthorizationAttributes[K] } = {
    user,
    verb,
    isResourceRequest: info.isResourceRequest,
    apiGroup: info.apiGroup,
    apiVersion: info.apiVersion,
    resource: info.resource,
    subresource: info.subresource,
    namespace: info.namespace,
    name: info.name,
    path: info.path,
  };
  if (!selects(info, verb)) return attributes;
  const labelSelector = info.query.get('labelSelector');
  const fieldSelector = info.query.get('fieldSelector');
  if (labelSelector) attributes.labelSelector = labelSelector;
  if (fieldSelector) attributes.fieldSelector = fieldSelector;
  return attributes;
}

const SELECTING: ReadonlySet<string> = new Set(['list', 'watch', 'deletecollection']);

/** Whether selectors narrow a request: elsewhere they mean nothing, and a permission that they narrow must not follow from them. */
const selects = ({ pathVerb, isObjectPath }: RequestInfo, verb: string): boolean =>
  SELECTING.has(verb) && pathVerb === '' && !isObjectPath;

/**
 * Checks that a request is authorized.
 * @param verb default: that of the request
 * @throws StatusError 403; PlainTextError 500 if authorizers failed and none allowed it (semantics/status#situations)
 */
export function requireAuthorized(
  authorizer: Authorizer,
  scope: RequestScope,
  verb: string = scope.info.verb,
): MaybePromise<void> {
  const attributes = authorizationAttributes(scope, verb);
  return andThen(decisionOf(authorizer, attributes), (decision) =>
    requireAllowed(scope, attributes, decision),
  );
}

function requireAllowed(
  scope: RequestScope,
  attributes: AuthorizationAttributes,
  { decision, reason, error }: AuthorizationDecision,
): void {
  scope.audit?.authorized({ decision, ...(reason !== undefined && { reason }), ...(error && { error }) });
  if (decision === 'allow') return;
  if (!error) throw forbiddenError(attributes, reason ?? '');
  const text = `Internal Server Error: ${goQuote(scope.request.url)}: ${error.message}`;
  throw new PlainTextError(500, `${toHtmlEntities(text)}\n`, {}, error);
}

interface SubmittedOptions {
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  /** As the caller gave them. */
  readonly options?: JsonObject;
}

/**
 * Returns the context of a request for the registry.
 * @param representation of the result of a write, which is a dry run if it cannot be shown
 */
export function requestContext(
  { scope, served, authorizer }: ResourceRequest,
  { dryRun = false, fieldManager = '', options }: SubmittedOptions = {},
  { isUnfit = false }: Pick<Representation, 'isUnfit'> = {},
): RequestContext {
  const { info, user, isLarge, endsAt, warn, annotate } = scope;
  const context: RequestContext = {
    user,
    namespace: served.namespaced ? info.namespace : '',
    version: served.version.name,
    dryRun: dryRun || isUnfit,
    options,
    fieldManager: fieldManager || managerOf(scope),
    isLarge,
    endsAt,
    waits: scope,
    warn,
    annotate,
    authorizeCreate: () => requireAuthorized(authorizer, scope, 'create'),
  };
  return scope.audit?.contents?.keepsSubmitted ? withContent(context) : context;
}

/** Annotations may show parts of objects if events do. */
function withContent(context: RequestContext): RequestContext {
  return { ...context, annotateContent: (key, makeValue) => context.annotate(key, makeValue()) };
}

/** Returns the default field manager: the printable characters of the user agent up to its first slash, truncated. */
function managerOf({ request }: RequestScope): string {
  const agent = request.headers.get('user-agent') ?? '';
  const slash = agent.indexOf('/');
  const product = slash < 0 ? agent : agent.slice(0, slash);
  if (product.length <= FIELD_MANAGER_LIMIT_BYTES && PRINTABLE_ASCII.test(product)) return product;
  const printable = [...product].filter((character) => isPrintable(character)).join('');
  return utf8Prefix(printable, FIELD_MANAGER_LIMIT_BYTES);
}

const PRINTABLE_ASCII = /^[ -~]*$/;
