/**
 * The Content-Security-Policy of every page: nothing inline, nothing from another host, nothing that leaves the page.
 * Pictures of the site itself may be data of nobody else either.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
