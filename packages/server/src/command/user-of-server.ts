/**
 * Returns the name of the user that a configuration has for a server, such as `hook.n.svc:443`: the user with its name, with a star for
 * the first parts of it, without the port if that is 443, or `*` (semantics/admission#webhook-configuration).
 */
export function userOfServer(users: ReadonlyMap<string, unknown>, server: string): string | undefined {
  const host = server.endsWith(':443') ? server.slice(0, -':443'.length) : undefined;
  const names = [...namesOf(server), ...(host === undefined ? [] : namesOf(host)), '*'];
  return names.find((name) => users.has(name));
}

/** `a.b.c`, `*.b.c`, `*.c`. */
function namesOf(target: string): readonly string[] {
  const parts = target.split('.');
  return [target, ...parts.slice(1).map((_, index) => `*.${parts.slice(index + 1).join('.')}`)];
}
