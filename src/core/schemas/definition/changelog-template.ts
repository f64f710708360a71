/** Makes the address of a version's changelog from a definition's template with `{version}` and `{versionDashed}`. */
export function changelogFiller(template: string): (version: string) => string {
  return (version) =>
    template
      .replaceAll('{versionDashed}', () => encodePart(version.replaceAll('.', '-')))
      .replaceAll('{version}', () => encodePart(version));
}

/** Also encodes the apostrophe, which `encodeURIComponent` leaves and published addresses must not have. */
function encodePart(text: string): string {
  return encodeURIComponent(text).replaceAll("'", '%27');
}

/** Encodes braces, so the address contains no placeholder. */
export function withoutBraces(url: string): string {
  return url.replaceAll('{', '%7B').replaceAll('}', '%7D');
}

/** The first unknown placeholder of a template, or `none` where it has no placeholder. */
export function wrongPlaceholder(template: string): string | undefined {
  const placeholders = template.match(/\{[^{}]*\}/g) ?? ['none'];
  return placeholders.find(
    (placeholder) => placeholder !== '{version}' && placeholder !== '{versionDashed}',
  );
}
