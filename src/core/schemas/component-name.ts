export const componentName = /^[a-z0-9][a-z0-9-]*$/;

/** Leaves room in the 255 bytes of a file's name for prefixes and endings. */
const maxNameLength = 200;

/** Names that would collide with a published path, or with one that the host answers itself. */
export const reservedNames: ReadonlySet<string> = new Set(
  (
    '404 all api api-agents api-files api-stream assets attestations badges builds calendars changes cle compatibility details ' +
    'endoflife ends export feed feeds full held index latest lines llms mcp mine openapi osv packages pipelines policies ' +
    'releases renovate robots schema search sign-in signing-key sitemap status support timeline verify'
  ).split(' '),
);

/** Names of devices, with whatever ending: a checkout on Windows cannot hold such a file. */
const deviceName = /^(?:con|nul|aux|prn|com\d|lpt\d)$/;

/** Why no component may be called so; undefined where it may. */
export function whyNoComponentName(name: string): string | undefined {
  if (!componentName.test(name))
    return `expected a name of lower-case letters, digits and hyphens; got "${name}"`;
  if (name.length > maxNameLength)
    return `expected a name of at most ${maxNameLength} characters; got ${name.length}`;
  if (reservedNames.has(name)) return `the name "${name}" belongs to a published path; rename the component`;
  if (deviceName.test(name))
    return `Windows cannot have a file of the name "${name}", which is a device there; rename the component`;
  return undefined;
}
