export const componentName = /^[a-z0-9][a-z0-9-]*$/;

/** A file name has 255 bytes, some for prefixes and endings. */
const maxNameLength = 200;

/** Names that collide with a published path, or with a path that the host answers itself. */
export const reservedNames: ReadonlySet<string> = new Set(
  (
    '404 all api assets badges builds calendars changes compatibility details ' +
    'endoflife export feed feeds held index latest mcp mine openapi packages policies ' +
    'releases renovate robots schema search signing-key sitemap statements status support supported use'
  ).split(' '),
);

/** Device names on Windows, where no file may have them, with any ending. */
const deviceName = /^(?:con|nul|aux|prn|com\d|lpt\d)$/;

/** The problem with a name for a component; undefined for a valid name. */
export function findNameProblem(name: string): string | undefined {
  if (!componentName.test(name)) {
    return `expected a name of lower-case letters, digits and hyphens; got "${name}"`;
  }
  if (name.length > maxNameLength) {
    return `expected a name of at most ${maxNameLength} characters; got ${name.length}`;
  }
  if (reservedNames.has(name)) {
    return `the name "${name}" belongs to a published path; rename the component`;
  }

  if (deviceName.test(name)) {
    return `Windows cannot have a file of the name "${name}", which is a device there; rename the component`;
  }

  return undefined;
}
