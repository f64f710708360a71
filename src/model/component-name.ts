export const componentName = /^[a-z0-9][a-z0-9-]*$/;

/** Names that would collide with a published path. */
export const reservedNames: ReadonlySet<string> = new Set([
  'index',
  'all',
  'status',
  'renovate',
  'changes',
  'openapi',
  '404',
  'api',
  'assets',
  'badges',
  'calendars',
  'details',
  'feed',
  'feeds',
  'latest',
  'robots',
  'schema',
  'search',
  'sitemap',
  'support',
]);
