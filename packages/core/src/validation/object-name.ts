import {
  dns1035LabelErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type NameRule,
  pathSegmentErrors,
  pathSegmentPrefixErrors,
} from './names.ts';

/**
 * Validates the name of an object, or with `prefix` a `generateName`, to which a suffix will be appended
 * (semantics/metadata#name-formats).
 * Returns the errors; empty if the name is valid.
 */
export type ObjectNameRule = (name: string, prefix: boolean) => readonly string[];

const withPrefix =
  (rule: NameRule): ObjectNameRule =>
  (name, prefix) =>
    rule(prefix ? withoutTrailingDash(name) : name);

/**
 * A prefix may end with a dash, since a suffix follows. The character before is replaced together with the
 * dash: other implementations mask it that way, and the accepted prefixes must be the same.
 */
function withoutTrailingDash(name: string): string {
  return name.replace(/[^\u0080-\uffff]-$/, 'a');
}

/** Most kinds: a DNS-1123 subdomain. */
export const validateDnsSubdomain: ObjectNameRule = withPrefix(dns1123SubdomainErrors);

/** Namespaces: a DNS-1123 label. */
export const validateDnsLabel: ObjectNameRule = withPrefix(dns1123LabelErrors);

/** Services: a DNS-1035 label. */
export const validateDns1035Label: ObjectNameRule = withPrefix(dns1035LabelErrors);

/** Roles and bindings: any path segment. The names of all other kinds must be path segments as well. */
export const validatePathSegment: ObjectNameRule = (name, prefix) =>
  prefix ? pathSegmentPrefixErrors(name) : pathSegmentErrors(name);
