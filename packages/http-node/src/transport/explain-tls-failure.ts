/**
 * Returns the error of a connection to an `https` URL. If the server answered without TLS, the error says so instead of quoting OpenSSL,
 * whose error is its `cause` and gives it its `code`.
 */
export function explainTlsFailure(error: Error, origin: string): Error {
  if (!/wrong version number|packet length too long/.test(error.message)) return error;
  const { host } = new URL(origin);
  const message = `the server at ${host} does not answer with TLS: use http://${host}, or enable TLS on the server`;
  return Object.assign(new Error(message, { cause: error }), {
    code: (error as NodeJS.ErrnoException).code,
  });
}
