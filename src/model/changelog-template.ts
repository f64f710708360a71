/**
 * The address of one version's changelog from a definition's template with `{version}` and `{versionDashed}`.
 * The functions keep a `$` in a version from being read as a pattern.
 */
export function fillChangelogTemplate(template: string, version: string): string {
  return template
    .replaceAll('{versionDashed}', () => encodePart(version.replaceAll('.', '-')))
    .replaceAll('{version}', () => encodePart(version));
}

/** `encodeURIComponent` leaves the apostrophe, which no published address may hold. */
function encodePart(text: string): string {
  return encodeURIComponent(text).replaceAll("'", '%27');
}

/** The same template in Renovate's Handlebars, to be filled when a pull request is written. */
export function toRenovateTemplate(template: string): string {
  return template
    .replaceAll('{versionDashed}', "{{{encodeURIComponent (replace '\\.' '-' newVersion)}}}")
    .replaceAll('{version}', '{{{encodeURIComponent newVersion}}}');
}
