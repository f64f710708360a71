/** A name of up to 200 characters: a file name has 255 bytes, some for prefixes and endings. */
export const nameForm = '[a-z0-9][a-z0-9-]{0,199}';
export const componentName = new RegExp(`^${nameForm}$`);

/** Names that collide with a published path, with a path that the host answers itself, or with a recorded file. */
const reservedNames: ReadonlySet<string> = /* @__PURE__ */ listWords(
  '404 all api assets badges builds calendars changes compatibility decisions details ' +
    'endoflife export feed feeds held index latest mcp mine openapi packages policies ' +
    'releases renovate robots schema search signing-key sitemap statements status support supported use',
);

function listWords(text: string): Set<string> {
  return new Set(text.split(' '));
}

/** Device names on Windows, where no file may have them, with any ending. */
const deviceName = /^(?:con|nul|aux|prn|com\d|lpt\d)$/;

/** The problem with the form of a name for a component or a policy; undefined for a valid one. */
export function findFormProblem(name: string): string | undefined {
  if (name.length > 200) {
    return `expected a name of at most 200 characters; got ${name.length}`;
  }

  return componentName.test(name)
    ? undefined
    : `expected a name of lower-case letters, digits and hyphens that begins with a letter or digit; got ${JSON.stringify(name)}`;
}

/** The problem with a name for a component; undefined for a valid name. */
export function findNameProblem(name: string): string | undefined {
  const isTaken = reservedNames.has(name) || deviceName.test(name);
  return isTaken
    ? `the name "${name}" belongs to a published path or a device of Windows; rename the component`
    : findFormProblem(name);
}

/**
 * The default name for a component of this package; undefined if the package's name has no usable characters. A scope of npm
 * stays: `@types/node` is not Node.
 */
export function deriveComponentName(packageName: string): string | undefined {
  const part = packageName.startsWith('@') ? packageName : findLastPart(packageName);
  return spellComponentName(part) || undefined;
}

/** A text in the form of a component's name; empty without a usable character. */
export function spellComponentName(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/** `agent` in `com.example:agent` and `https://git.example.com/group/agent.git`. Skips the major version of a Go module. */
export function findLastPart(packageName: string): string {
  const parts = packageName.replace(/(?:\.git)?\/?$/, '').split(/[/:]/);
  return parts.findLast((part, index) => index === 0 || !/^v\d+$/.test(part)) ?? '';
}

/**
 * The default name for a component whose releases are in a document: `agent` for `example/agent/releases.csv`, else the host of an
 * address. Undefined for `releases.csv`. Leaves out the encoded characters of an address.
 */
export function deriveDocumentName(addressOrPath: string): string | undefined {
  const { pathname = addressOrPath, hostname = '' } = URL.parse(addressOrPath) ?? {};
  const path = pathname.replace(/\.[a-z]+$/i, '').replaceAll(/%[0-9a-f]{2}/gi, '-');
  const names = [hostname, ...path.split('/')].map(spellComponentName);
  return names.findLast((name) => !['', 'releases', 'index'].includes(name));
}
