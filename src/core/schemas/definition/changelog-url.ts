import * as z from 'zod';
import { documented, optionalKey } from '../keys.ts';
import { VersionText } from '../scalars.ts';
import { HttpsUrl } from '../urls.ts';

/** The addresses of the changelogs of releases, where the version determines them. */
export const ReleaseChangelogUrl = z.strictObject({
  template: documented(
    HttpsUrl.superRefine(checkTemplate),
    'An address with {version}, or {versionDashed} (dots as hyphens).',
    'https://example.com/release-history/#{versionDashed}',
  ),
  since: optionalKey(
    VersionText,
    'The oldest version with such an address; all where absent.',
    '1.21',
  ),
});

/** Rejects a template without a placeholder, or with an unknown one. */
function checkTemplate(template: string, context: z.RefinementCtx): void {
  const placeholders = template.match(/\{[^{}]*\}/g) ?? [];
  const unknown = placeholders.find((name) => name !== '{version}' && name !== '{versionDashed}');
  if (placeholders.length === 0 || unknown !== undefined) {
    const message = 'expected the placeholders {version} and {versionDashed}';
    context.addIssue({ code: 'custom', message, params: { got: unknown ?? 'none' } });
  }
}

/** Makes the address of a version's changelog from a definition's template with `{version}` and `{versionDashed}`. */
export function createChangelogFiller(template: string): (version: string) => string {
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
export function encodeBraces(url: string): string {
  return url.replaceAll('{', '%7B').replaceAll('}', '%7D');
}
