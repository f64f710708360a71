import { showUrl } from '../../io/http/error.ts';
import { quote } from '../../core/text.ts';
import { SourceError } from './source.ts';

/**
 * An address below a registry's own, which may end in a slash or not. Each segment is encoded, so that no name reaches
 * another place than its own.
 */
export function addressBelow(registryUrl: string, segments: readonly string[], query = ''): string {
  for (const segment of segments) {
    // A URL resolves dot segments even where they are percent-encoded, and half a surrogate pair cannot be encoded.
    if (segment === '' || segment === '.' || segment === '..' || !segment.isWellFormed()) {
      throw new SourceError(`${showUrl(registryUrl)}: ${quote(segments.join('/'))} is no path below it`);
    }
  }
  const url = new URL(registryUrl);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${segments.map(encodeSegment).join('/')}`;
  url.search = query;
  url.hash = '';
  return url.href;
}

/**
 * `@` and `:` have a place in a path as they are (RFC 3986, section 3.3). Registries know them so, and the slash of a
 * scoped package in small letters, from their own clients.
 */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replaceAll('%40', '@').replaceAll('%3A', ':').replaceAll('%2F', '%2f');
}
