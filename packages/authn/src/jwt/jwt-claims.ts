import {
  goQuote,
  hasMember,
  type JsonObject,
  type JsonValue,
  type UserInfo,
  type Vocabulary,
} from '@ashlar/core';
import type { JwtConfiguration } from './authentication-configuration.ts';
import { textOf, textsOf } from './claims-expression.ts';
import type { Condition, JwtRules } from './jwt-rules.ts';

/**
 * Maps the claims of a verified token to a user, by the rules of its issuer (semantics/access#jwt).
 * @throws Error for missing or rejected claims; its message contains no value of a claim
 */
export function userOfClaims(
  claims: JsonObject,
  configuration: JwtConfiguration,
  rules: JwtRules,
  vocabulary: Vocabulary,
): UserInfo {
  const name = usernameOf(claims, configuration, rules);
  const groups = groupsOf(claims, configuration, rules);
  const uid = uidOf(claims, configuration, rules);
  const extra = extraOf(claims, rules, vocabulary);
  const user = {
    name,
    groups,
    ...(uid !== '' && { uid }),
    ...(extra.length > 0 && { extra: Object.fromEntries(extra) }),
  };
  requireClaims(claims, configuration);
  requireTrue(rules.claimConditions, claims);
  requireTrue(rules.userConditions, { username: name, uid, groups, extra: Object.fromEntries(extra) });
  return user;
}

function usernameOf(claims: JsonObject, { claimMappings }: JwtConfiguration, rules: JwtRules): string {
  const name = rules.username
    ? textOf(rules.username.evaluate(claims))
    : claimedName(claims, claimMappings?.username?.claim ?? '', claimMappings?.username?.prefix ?? '');
  if (name === '') throw new Error('the token gives an empty username');
  return name;
}

function claimedName(claims: JsonObject, claim: string, prefix: string): string {
  const name = claimedText(claims, claim);
  if (claim === 'email' && hasMember(claims, 'email_verified') && claims.email_verified !== true)
    throw new Error('the email of the token is not verified');
  return prefix + name;
}

function groupsOf(
  claims: JsonObject,
  { claimMappings }: JwtConfiguration,
  rules: JwtRules,
): readonly string[] {
  if (rules.groups) return textsOf(rules.groups.evaluate(claims));
  const { claim = '', prefix = '' } = claimMappings?.groups ?? {};
  if (claim === '') return [];
  if (hasMember(claims, claim)) return listedTexts(claims[claim], claim).map((group) => prefix + group);
  return [];
}

/** A string is a list of one. */
function listedTexts(value: JsonValue | undefined, claim: string): readonly string[] {
  if (value === null) return [];
  const items = Array.isArray(value) ? value : [value];
  if (!items.every((item) => typeof item === 'string'))
    throw new Error(`the claim ${goQuote(claim)} is neither a string nor a list of strings`);
  return items as readonly string[];
}

function uidOf(claims: JsonObject, { claimMappings }: JwtConfiguration, rules: JwtRules): string {
  if (rules.uid) return textOf(rules.uid.evaluate(claims));
  const claim = claimMappings?.uid?.claim ?? '';
  return claim === '' ? '' : claimedText(claims, claim);
}

function extraOf(
  claims: JsonObject,
  rules: JwtRules,
  { labelDomain }: Vocabulary,
): readonly (readonly [key: string, values: readonly string[]])[] {
  const { jti } = claims;
  const credential =
    typeof jti === 'string' && jti !== ''
      ? [[`authentication.${labelDomain}/credential-id`, [`JTI=${jti}`]] as const]
      : [];
  const mapped = rules.extra.map(
    ({ key, expression }) => [key, textsOf(expression.evaluate(claims))] as const,
  );
  return [...credential, ...mapped.filter(([, values]) => values.length > 0)];
}

function requireClaims(claims: JsonObject, { claimValidationRules = [] }: JwtConfiguration): void {
  for (const { claim = '', requiredValue = '' } of claimValidationRules)
    if (claim !== '' && claimedText(claims, claim) !== requiredValue)
      throw new Error(`the claim ${goQuote(claim)} has not the value that is required`);
}

function requireTrue(conditions: readonly Condition[], subject: JsonObject): void {
  for (const { expression, message } of conditions)
    if (expression.evaluate(subject) !== true)
      throw new Error(
        `the condition ${goQuote(expression.text)} is not met${message === '' ? '' : `: ${message}`}`,
      );
}

function claimedText(claims: JsonObject, claim: string): string {
  if (!hasMember(claims, claim)) throw new Error(`the token has no claim ${goQuote(claim)}`);
  const value = claims[claim];
  if (typeof value !== 'string') throw new Error(`the claim ${goQuote(claim)} is not a string`);
  return value;
}
