/** A header: its name in lower case, and its value. */
export type HeaderField = readonly [name: string, value: string];

/** What both sides know from the start, by index from 1 (RFC 7541 appendix A); entries without `=` have no value. */
const ENTRIES =
  ':authority :method=GET :method=POST :path=/ :path=/index.html :scheme=http :scheme=https :status=200 ' +
  ':status=204 :status=206 :status=304 :status=400 :status=404 :status=500 accept-charset ' +
  'accept-encoding=gzip,+deflate accept-language accept-ranges accept access-control-allow-origin age allow ' +
  'authorization cache-control content-disposition content-encoding content-language content-length ' +
  'content-location content-range content-type cookie date etag expect expires from host if-match ' +
  'if-modified-since if-none-match if-range if-unmodified-since last-modified link location max-forwards ' +
  'proxy-authenticate proxy-authorization range referer refresh retry-after server set-cookie ' +
  'strict-transport-security transfer-encoding user-agent vary via www-authenticate';

/** The static table; the field of index `i` stands at `i - 1`. */
export const STATIC_TABLE: readonly HeaderField[] = ENTRIES.split(' ').map((entry) => {
  const [name = '', value = ''] = entry.split('=');
  return [name, value.replace('+', ' ')];
});

/** What a field counts in a dynamic table (RFC 7541 section 4.1). */
export const fieldSize = ([name, value]: HeaderField): number => name.length + value.length + 32;
