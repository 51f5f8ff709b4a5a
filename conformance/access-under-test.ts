import type { AuditOptions } from '@ashlar/audit';
import {
  createBearerAuthenticator,
  createClientCertificateAuthenticator,
  createProxyHeaderAuthenticator,
  createStaticTokens,
  createUnionAuthenticator,
  createUnionTokens,
  parseTokenFile,
  withAnonymous,
  withAuthenticatedGroup,
  withServerAudiences,
} from '@ashlar/authn';
import {
  createAbacAuthorizer,
  createUnionAuthorizer,
  parseAbacPolicyFile,
  withPrivilegedGroup,
} from '@ashlar/authz';
import type { Ambient, Authenticator, Authorizer, Vocabulary } from '@ashlar/core';
import type { InFlightLimits } from '@ashlar/http';
import type { ControllerChoice, StoredAuthorizers, StoredTokens } from '@ashlar/server';
import type { ClientCertificates } from './client-certificates.ts';

/** The users of the recorded exchanges (conformance/trace/README.md). */
const TOKENS = `admin-token,admin,admin-uid,"system:masters"
alice-token,alice,alice-uid,"dev,qa"`;

/** Options of a server in addition to those of all. */
export interface ServerSetup {
  /** Feature gates that differ from their defaults, in the form of the flag. */
  readonly gates?: string;
  /** Versions that are off by default: a group as `groupName` takes it, and its version. */
  readonly alphaVersions?: readonly (readonly [group: string, version: string])[];
  /** Whether the node authorizer and NodeRestriction are enabled. */
  readonly nodes?: boolean;
  /** Whether pods need service accounts, which nobody makes; default false. */
  readonly accounts?: boolean;
  /** The controllers that run; by default all that need nothing more. */
  readonly controllers?: readonly ControllerChoice[];
  /** Whether anonymous requests are accepted; default true. */
  readonly anonymous?: boolean;
  /** Text of a policy file that replaces roles. */
  readonly policies?: string;
  /** With them the server uses TLS, and callers may present theirs. */
  readonly certificates?: ClientCertificates;
  /** Limits of concurrent requests; with flow control their sum is shared. */
  readonly limits?: InFlightLimits;
  /** Whether flow control is on; default true. */
  readonly priorityAndFairness?: boolean;
  /** What is recorded of requests; by default nothing. */
  readonly audit?: AuditOptions;
  /** Whether headers of a proxy are trusted. */
  readonly proxy?: boolean;
}

/** Authentication. */
export function authenticatorUnderTest(
  { anonymous = true, certificates, proxy = false }: ServerSetup,
  ambient: Ambient,
  { serviceAccounts, bootstrap, apiAudiences }: StoredTokens,
): Authenticator {
  const listed = createStaticTokens(parseTokenFile(TOKENS).tokens, ambient.random);
  const known = [listed, bootstrap].map((each) => withServerAudiences(each, apiAudiences));
  const bearer = createBearerAuthenticator(createUnionTokens([...known, serviceAccounts]));
  const shown = certificates ? certificateAuthenticators(certificates, ambient, proxy) : [];
  const everybody = withAuthenticatedGroup(createUnionAuthenticator([...shown, bearer]));
  return anonymous ? withAnonymous(everybody) : everybody;
}

function certificateAuthenticators(
  { authority }: ClientCertificates,
  ambient: Ambient,
  proxy: boolean,
): readonly Authenticator[] {
  const authorities = [authority];
  const ofUsers = createClientCertificateAuthenticator(ambient, { authorities });
  if (!proxy) return [ofUsers];
  const ofProxies = createProxyHeaderAuthenticator(ambient, {
    authorities,
    allowedNames: ['front-proxy'],
    usernameHeaders: ['X-Remote-User'],
    groupHeaders: ['X-Remote-Group'],
    extraHeaderPrefixes: ['X-Remote-Extra-'],
  });
  return [ofProxies, ofUsers];
}

/** Authorization. */
export function authorizerUnderTest(
  { nodes = false, policies }: ServerSetup,
  vocabulary: Vocabulary,
  stored: StoredAuthorizers,
): Authorizer {
  if (policies !== undefined) {
    const file = parseAbacPolicyFile(policies, 'abac.jsonl', vocabulary);
    return withPrivilegedGroup(createAbacAuthorizer(file.policies));
  }
  return withPrivilegedGroup(nodes ? createUnionAuthorizer([stored.node, stored.rbac()]) : stored.rbac());
}
