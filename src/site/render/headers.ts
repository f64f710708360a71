import type { Protection } from '../../core/schemas/access/access-config.ts';

/**
 * The headers for one kind of file. The published `_headers` are made from the table of these rules. A test compares the settings
 * in `site/servers` with it, and the served site is verified against it.
 */
interface HeaderRule {
  /** A path, or `/*` with the end of paths. No two rules set the same header for the same path. */
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

/** A picture opened directly is a document that could run scripts. Its inline style makes it light or dark. */
const picturePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

/** How long a file may be cached, by anybody or only by the client. */
export const lifetimes = { public: 'public, max-age=3600', private: 'private, max-age=3600' };

/** The headers of every file. If all need a credential, no shared cache may keep any. */
export function describeCommonHeaders(protect?: Protection): HeaderRule {
  return {
    pattern: '/*',
    headers: {
      // Also for a private index: with `*`, browsers hide responses to credentialed requests from scripts of other origins.
      'Access-Control-Allow-Origin': '*',
      // Without it, a script of another origin cannot read the ETag.
      'Access-Control-Expose-Headers': 'ETag',
      'Cache-Control': protect === 'everything' ? lifetimes.private : lifetimes.public,
      'X-Content-Type-Options': 'nosniff',
    },
  };
}

/** The kinds of file that need only a type, by this type. */
const patternsByType = {
  'application/json': ['/*.json'],
  'application/x-ndjson': ['/*.ndjson'],
  'text/plain; charset=utf-8': ['/*.txt', '/*.minisig', '/*.pub', '/*.pem', '/SHA256SUMS'],
  'text/css; charset=utf-8': ['/*.css'],
  'text/javascript; charset=utf-8': ['/*.js'],
  'application/atom+xml; charset=utf-8': ['/*.atom'],
  'text/calendar; charset=utf-8': ['/*.ics'],
  'application/xml': ['/*.xml'],
  'image/png': ['/*.png'],
  'image/x-icon': ['/*.ico'],
};

/** Every kind of file in a site. Without a type, the host would guess it or send none. */
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
  ...Object.entries(patternsByType).flatMap(([type, patterns]) =>
    patterns.map((pattern) => ({ pattern, headers: { 'Content-Type': type } })),
  ),
];

/** Files that the host reads but does not serve. */
export const unservedFiles: ReadonlySet<string> = new Set(['_headers']);

/** Undefined for an unknown kind of file. */
export function findHeaders(
  path: string,
  protect?: Protection,
): ReadonlyMap<string, string> | undefined {
  const kind = kinds.find(({ pattern }) => matches(pattern, `/${path}`));
  if (!kind) {
    return undefined;
  }

  return new Map(Object.entries({ ...describeCommonHeaders(protect).headers, ...kind.headers }));
}

/** The media type of a file, as its host states it; any type for an unknown kind of file. */
export function findMediaType(path: string): string {
  return findHeaders(path)?.get('Content-Type')?.replace(/;.*/, '') ?? '*/*';
}

/**
 * `_headers` for Cloudflare's static assets (developers.cloudflare.com/workers/static-assets/headers). The host joins the values
 * of two matching rules with a comma, so only one rule may set a header for a path.
 */
export function renderHeadersFile(protect?: Protection): string {
  const rules = [describeCommonHeaders(protect), ...kinds].map(({ pattern, headers }) => {
    const lines = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}\n`);
    return `${pattern}\n${lines.join('')}`;
  });
  return rules.join('\n');
}

function matches(pattern: string, path: string): boolean {
  const [start = '', end] = pattern.split('*');
  return end === undefined ? path === pattern : path.startsWith(start) && path.endsWith(end);
}
