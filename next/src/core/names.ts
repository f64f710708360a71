/** Names of components. */
const reserved = new Set(
  (
    'all api assets badges build-export builds calendars changes details feed feeds index mcp mine openapi packages policies renovate robots ' +
    'schema search signing-key sitemap statements status support supported use'
  ).split(' '),
);

export function findNameProblem(name: string): string | undefined {
  if (reserved.has(name) || /^\d{3}$/.test(name)) {
    return `the name "${name}" belongs to a published path`;
  }

  return /^[a-z0-9][a-z0-9-]{0,99}$/.test(name)
    ? undefined
    : `expected a name of lower-case letters, digits and hyphens; got "${name}"`;
}
