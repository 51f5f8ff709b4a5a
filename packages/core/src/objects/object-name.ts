import {
  dns1035LabelErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type NameRule,
  pathSegmentErrors,
  pathSegmentPrefixErrors,
} from './names.ts';

/**
 * Checks the name of an object, or with `prefix` a `generateName`, to which something will be appended (semantics/metadata#name-formats).
 * Returns the errors of a name; an empty list where it is valid.
 */
export type ObjectNameRule = (name: string, prefix: boolean) => readonly string[];

const withPrefix =
  (rule: NameRule): ObjectNameRule =>
  (name, prefix) =>
    rule(prefix ? withoutTrailingDash(name) : name);

/**
 * A prefix may end with a dash, since something follows it. The character before goes with the dash: that is how
 * other implementations mask it, and the accepted prefixes must be the same.
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

/** Roles and bindings: whatever fits a path. All other kinds must fit a path as well. */
export const validatePathSegment: ObjectNameRule = (name, prefix) =>
  prefix ? pathSegmentPrefixErrors(name) : pathSegmentErrors(name);
