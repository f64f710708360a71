/**
 * Whether a `Content-Type` is one of those accepted. `application/json` admits `+json` (RFC 6839) and
 * `application/xml` admits `text/xml` and `+xml` (RFC 7303); `text/*` and `*` + `/*` mean what they mean in `Accept`. An answer
 * without a type is judged by what it holds (RFC 9110, section 8.3).
 */
export function isAcceptable(contentType: string | undefined, accepted: readonly string[]): boolean {
  const type = mediaType(contentType ?? '');
  if (type === '') return true;
  return accepted.some((range) => admits(mediaType(range), type));
}

function admits(range: string, type: string): boolean {
  if (range === '*/*' || range === type) return true;
  if (range.endsWith('/*')) return type.startsWith(range.slice(0, -1));
  if (range === 'application/json') return type.endsWith('+json');
  if (range === 'application/xml' || range === 'text/xml') {
    return type === 'application/xml' || type === 'text/xml' || type.endsWith('+xml');
  }
  return false;
}

/** ` is text/html, not JSON`: what came and what was expected. */
export function mismatch(contentType: string | undefined, accepted: readonly string[]): string {
  const came = mediaType(contentType ?? '');
  const wanted = [...new Set(accepted.map((range) => shortName(mediaType(range))))].join(' or ');
  return ` is ${came}, not ${wanted}`;
}

export function isWebPage(contentType: string | undefined): boolean {
  return ['text/html', 'application/xhtml+xml'].includes(mediaType(contentType ?? ''));
}

function shortName(type: string): string {
  const format = /^(?:application|text)\/(?:x-|.*\+)?(json|xml|yaml|html)$/.exec(type)?.[1];
  return format ? format.toUpperCase() : type;
}

function mediaType(value: string): string {
  return (value.split(';')[0] ?? '').trim().toLowerCase();
}
