import { parseImage } from '../../core/model/purl.ts';
import { readItem, statedItems, type Entry } from './items.ts';

/** The statements of a line in a form of build files; undefined for a line of another form. */
export function readBuildLine(line: string): Entry[] | undefined {
  return readImageLine(line) ?? readGradlePlugin(line) ?? readMavenElements(line) ?? readKeys(line);
}

/** `FROM image`, `COPY --from=image`, `image: name`, `uses: owner/action@v1`. */
function readImageLine(line: string): Entry[] | undefined {
  const [, image] =
    /^(?:FROM(?:\s+--\S+)*|COPY\s+--from=|(?:-\s*)?image:|(?:-\s*)?uses:)\s*["']?([^\s"']+)/i.exec(
      line,
    ) ?? [];
  if (image === undefined) {
    return undefined;
  }

  const isInstruction = /^(?:FROM|COPY)\b/.test(line);
  const reference = parseImage(image);
  if (isInstruction && !reference) {
    return [[{ text: image, name: image }]];
  }

  if (isInstruction && (reference?.tag ?? reference?.digest) === undefined) {
    return [[{ text: image, purl: reference?.purl, isImage: true }]];
  }

  const entry = readItem(image);
  if (!entry || !reference || entry.some(({ purl }) => purl)) {
    return entry && [entry];
  }

  // Without a path, it is an image of Docker Hub, unless the index knows the name.
  const [first] = entry;
  const { tag: version, purl } = reference;

  return [
    [
      ...entry,
      { ...first!, name: undefined, purl: { ...purl, version }, isOtherwise: true, isImage: true },
    ],
  ];
}

/** `id("com.example.agent") version "1.0"`. */
function readGradlePlugin(line: string): Entry[] | undefined {
  const [, id, version] =
    /(?:^|[\s(])id\s?\(?\s?["']([\w.-]+)["']\s?\)?(?:\s+version\s?\(?\s?["']([^"']+)["'])?/.exec(
      line,
    ) ?? [];

  return id === undefined ? undefined : [pluginEntry(line, id, version)];
}

/** The statements of a Gradle plugin, which is also published as an artifact. */
function pluginEntry(text: string, id: string, versionText: string | undefined): Entry {
  const { version, range } = versionOrRange(versionText);
  const marker = { type: 'maven', namespace: id, name: `${id}.gradle.plugin`, version };
  const dot = id.lastIndexOf('.');
  const artifact = { type: 'maven', namespace: id.slice(0, dot), name: id.slice(dot + 1), version };

  return [
    ...statedItems(text, id, version, range),
    { text, purl: marker, version, range },
    { text, purl: artifact, version, range, isOtherwise: true },
  ];
}

/** `<artifactId>agent</artifactId><version>1.0</version>`. */
function readMavenElements(line: string): Entry[] | undefined {
  const content = (name: string) => {
    const start = line.indexOf(`<${name}>`);
    const end = line.indexOf(`</${name}>`);

    return start >= 0 && end > start ? line.slice(start + name.length + 2, end).trim() : undefined;
  };

  const name = content('artifactId');
  if (name === undefined) {
    return undefined;
  }

  return [mavenEntry(line, content('groupId'), name, content('version'))];
}

export function mavenEntry(
  text: string,
  namespace: string | undefined,
  name: string,
  versionText: string | undefined,
): Entry {
  const { version, range } = versionOrRange(versionText);

  if (namespace === undefined) {
    return statedItems(text, name, version, range);
  }

  return [{ text, purl: { type: 'maven', namespace, name, version }, version, range }];
}

const keyForm =
  /\b(group|name|module|id|version)["']?\s?[:=]\s?(?:["']([^"']*)["']|([^\s"',{}]+))/g;

/** `group: 'com.example', name: 'agent', version: '1.0'`, `{ module = "com.example:agent", version = "1.0" }`. */
function readKeys(line: string): Entry[] | undefined {
  if (!/\b(?:module|version)\b/.test(line)) {
    return undefined;
  }

  const keys = new Map(
    Array.from(line.matchAll(keyForm), ([, key, quoted, bare]) => [key, quoted ?? bare ?? '']),
  );
  const [group, name] = [keys.get('group'), keys.get('name')];
  const [id, versionText] = [keys.get('id'), keys.get('version')];
  const module = keys.get('module') ?? (group && name ? `${group}:${name}` : undefined);
  if (module?.includes(':')) {
    const [namespace = '', artifact = ''] = module.split(':');
    return [mavenEntry(line, namespace, artifact, versionText)];
  }

  if (versionText === undefined || (id ?? name) === undefined) {
    return undefined;
  }

  if (id !== undefined) {
    return [pluginEntry(line, id, versionText)];
  }

  const { version, range } = versionOrRange(versionText);

  return [statedItems(line, name!, version, range)];
}

/** A version, or a range of versions: `^2.0.1`, `>=1 <2`, `*`. Neither for an empty text. */
export function versionOrRange(versionText: string | undefined): {
  version?: string;
  range?: string;
} {
  const text = versionText?.trim() ?? '';
  if (text === '') {
    return {};
  }

  if (/^v?\d[\w.+~!-]*(?:@\S+)?$/i.test(text) && !/\.[x*]$/i.test(text)) {
    return { version: text };
  }

  // Two signs of equality are pip's sign for one version.
  const exact = /^={1,3}\s*(v?\d[\w.+~!-]*)$/i.exec(text)?.[1];

  return exact === undefined ? { range: text } : { version: exact };
}
