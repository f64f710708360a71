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

/** The problems with the placeholders of a template. */
export function placeholderProblems(template: string): string[] {
  const names = Array.from(template.matchAll(/\{([^{}]*)\}/g), (match) => match[1]!);
  if (names.length === 0) return ['expected a placeholder, {version} or {versionDashed}'];
  return names
    .filter((name) => name !== 'version' && name !== 'versionDashed')
    .map((name) => `expected the placeholders {version} and {versionDashed}; got {${name}}`);
}
