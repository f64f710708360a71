/** Makes the address of a version's changelog from a definition's template with `{version}` and `{versionDashed}`. */
export function changelogFiller(template: string): (version: string) => string {
  return (version) =>
    template
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

/** An address in which nothing looks like a placeholder. */
export function withoutBraces(url: string): string {
  return url.replaceAll('{', '%7B').replaceAll('}', '%7D');
}

/** The first part of a template that is wrong: a placeholder, or that it has none. */
export function wrongPlaceholder(template: string): string | undefined {
  const found = template.match(/\{[^{}]*\}/g) ?? ['none'];
  return found.find((placeholder) => placeholder !== '{version}' && placeholder !== '{versionDashed}');
}
