// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is rejected
const CONTROL = /[\u0000-\u001f\u007f]/;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;
const BAD_ESCAPE = /%(?![0-9A-Fa-f]{2})/;
/** Hosts escape bytes beyond ASCII only, and the separator of a zone. */
const BAD_HOST_ESCAPE = /%(?!25|[89A-Fa-f][0-9A-Fa-f])/;
const BAD_HOST = /[ \\^{|}`#/?@]/;
const USER = /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/;
const PORT = /^(?::\d*)?$/;

/** Whether a text is an absolute URI or an absolute path, as in a request line (RFC 9112, 3.2). */
export function isRequestUri(text: string): boolean {
  if (text === '' || CONTROL.test(text) || text.startsWith(':')) return false;
  if (text === '*') return true;
  const scheme = SCHEME.exec(text)?.[0] ?? '';
  const [rest = ''] = text.slice(scheme.length).split('?', 1);
  if (!rest.startsWith('/')) return scheme !== '';
  if (scheme === '' || !rest.startsWith('//')) return !BAD_ESCAPE.test(rest);
  const slash = rest.indexOf('/', 2);
  const authority = rest.slice(2, slash === -1 ? undefined : slash);
  return isAuthority(authority) && (slash === -1 || !BAD_ESCAPE.test(rest.slice(slash)));
}

function isAuthority(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at >= 0 && (!USER.test(text.slice(0, at)) || BAD_ESCAPE.test(text.slice(0, at)))) return false;
  return isHost(text.slice(at + 1));
}

function isHost(text: string): boolean {
  if (text.startsWith('[')) {
    const end = text.lastIndexOf(']');
    return end > 0 && PORT.test(text.slice(end + 1)) && isName(text.slice(1, end));
  }
  const colon = text.lastIndexOf(':');
  if (colon >= 0 && !PORT.test(text.slice(colon))) return false;
  return isName(text);
}

const isName = (text: string): boolean => !BAD_HOST.test(text) && !BAD_HOST_ESCAPE.test(text);
