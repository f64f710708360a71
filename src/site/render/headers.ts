import type { Protection } from '../../core/schemas/access-config.ts';
import { predicatePath, releasePredicatePath } from '../../core/schemas/published/statement.ts';

/**
 * The headers of each kind of file, in one table: the published `_headers` and the settings of other servers are written from
 * it, and the served site is verified against it.
 */
interface HeaderRule {
  /** A path, or `*` followed by the ending that the path has. No two rules name the same header for the same path. */
  pattern: string;
  headers: Readonly<Record<string, string>>;
}

/** Pages run no foreign code, load nothing from elsewhere and cannot be framed. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** A picture opened by itself is a document and could run scripts. Its own style makes it light or dark. */
const picturePolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

export const everywhere: HeaderRule = {
  pattern: '/*',
  headers: {
    // On a private index too: browsers show scripts of another origin no response to a request with their own credential.
    'Access-Control-Allow-Origin': '*',
    // Without it, a script of another origin cannot read the ETag.
    'Access-Control-Expose-Headers': 'ETag',
    'Cache-Control': 'public, max-age=3600',
    'X-Content-Type-Options': 'nosniff',
  },
};

/** Every kind of file that a site may hold. The host would guess their types, or send none. */
export const kinds: readonly HeaderRule[] = [
  {
    pattern: '/*.html',
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': pagePolicy,
      'Referrer-Policy': 'strict-origin-when-cross-origin',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
    },
  },
  {
    pattern: '/*.svg',
    headers: { 'Content-Type': 'image/svg+xml', 'Content-Security-Policy': picturePolicy },
  },
  typed('/*.json', 'application/json'),
  typed('/endoflife/api/v1/*', 'application/json'),
  typed('/*.ndjson', 'application/x-ndjson'),
  typed('/*.csv', 'text/csv; charset=utf-8'),
  typed('/*.txt', 'text/plain; charset=utf-8'),
  typed('/*.css', 'text/css; charset=utf-8'),
  typed('/*.js', 'text/javascript; charset=utf-8'),
  typed('/*.atom', 'application/atom+xml; charset=utf-8'),
  typed('/*.ics', 'text/calendar; charset=utf-8'),
  typed('/*.xml', 'application/xml'),
  typed('/*.png', 'image/png'),
  typed('/*.ico', 'image/x-icon'),
  typed('/*.minisig', 'text/plain; charset=utf-8'),
  typed('/*.pub', 'text/plain; charset=utf-8'),
  typed('/*.pem', 'text/plain; charset=utf-8'),
  typed('/SHA256SUMS', 'text/plain; charset=utf-8'),
  typed(`/${predicatePath}`, 'application/json'),
  typed(`/${releasePredicatePath}`, 'application/json'),
];

export const headersFile = '_headers';

/** Files of the site that the host reads and does not serve. */
export const unservedFiles: ReadonlySet<string> = new Set([headersFile]);

/** Undefined for a file of no known kind. */
export function headersFor(path: string, protect?: Protection): ReadonlyMap<string, string> | undefined {
  const kind = kinds.find(({ pattern }) => matches(pattern, `/${path}`));
  if (!kind) return undefined;
  return new Map(Object.entries({ ...everywhereOf(protect).headers, ...kind.headers }));
}

/**
 * `_headers`, as Cloudflare's static assets read it (developers.cloudflare.com/workers/static-assets/headers): two rules
 * that set the same header for a path would be joined with a comma, so that each header has one rule.
 */
export function renderHeadersFile(protect?: Protection): string {
  const rules = [everywhereOf(protect), ...kinds].map(({ pattern, headers }) => {
    const lines = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}\n`);
    return `${pattern}\n${lines.join('')}`;
  });
  return rules.join('\n');
}

/** If every file asks for a credential, no shared cache may keep one. */
function everywhereOf(protect: Protection | undefined): HeaderRule {
  if (protect !== 'everything') return everywhere;
  return { ...everywhere, headers: { ...everywhere.headers, 'Cache-Control': 'private, max-age=3600' } };
}

function typed(pattern: string, type: string): HeaderRule {
  return { pattern, headers: { 'Content-Type': type } };
}

function matches(pattern: string, path: string): boolean {
  const star = pattern.indexOf('*');
  if (star === -1) return path === pattern;
  return path.startsWith(pattern.slice(0, star)) && path.endsWith(pattern.slice(star + 1));
}
