/**
 * Whether a `Content-Type` is one of those accepted. `application/json` admits `+json` (RFC 6839) and `application/xml` admits
 * `text/xml` and `+xml` (RFC 7303); `text/*` and `*` + `/*` mean what they mean in `Accept`. An answer without a type is judged
 * by its content (RFC 9110, section 8.3).
 */
export function accepts(accepted: readonly string[], contentType: string | undefined): boolean {
  const type = mediaType(contentType);
  return type === '' || accepted.some((range) => admits(mediaType(range), type));
}

function admits(range: string, type: string): boolean {
  if (range === '*/*' || range === type) return true;
  if (range.endsWith('/*')) return type.startsWith(range.slice(0, -1));
  if (range === 'application/json') return type.endsWith('+json');
  const isXml = (name: string) => name === 'application/xml' || name === 'text/xml';
  return isXml(range) && (isXml(type) || type.endsWith('+xml'));
}

/** ` is text/html, not JSON`: the type received and the one expected. */
export function describeMismatch(contentType: string | undefined, accepted: readonly string[]): string {
  const expected = [...new Set(accepted.map((range) => shortName(mediaType(range))))].join(' or ');
  return ` is ${mediaType(contentType)}, not ${expected}`;
}

export function isWebPage(contentType: string | undefined): boolean {
  return ['text/html', 'application/xhtml+xml'].includes(mediaType(contentType));
}

function shortName(type: string): string {
  const format = /^(?:application|text)\/(?:x-|.*\+)?(json|xml|yaml|html)$/.exec(type)?.[1];
  return format ? format.toUpperCase() : type;
}

function mediaType(value = ''): string {
  return value.split(';')[0]!.trim().toLowerCase();
}
