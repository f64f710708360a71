import { lineCounter } from '../../core/text/text.ts';
import { mavenEntry } from './build-lines.ts';
import { longestText, type Entry } from './items.ts';

/** The elements of a pom.xml with the coordinates of something in use. */
const users = new Set(['dependency', 'plugin', 'extension', 'parent', '']);
const tag = /<(\/?)([\w.-]{1,100})([^<>]{0,200})>([^<]{0,1000})/g;

/** The greatest length of a property that is filled in: a version may name many. */
const longestProperty = 100;

interface Coordinates {
  groupId?: string;
  artifactId?: string;
  version?: string;
}

/** The dependencies, plugins, extensions and parent of a pom.xml, or of a part of one. */
export function readPom(text: string): Entry[] {
  const open: { name: string; coordinates: Coordinates; line: number }[] = [
    { name: '', coordinates: {}, line: 1 },
  ];
  const used: { name: string; coordinates: Coordinates; line: number }[] = [];
  const properties = new Map<string, string>();
  const content = withoutComments(text);
  const lineAt = lineCounter(content);

  for (const match of content.matchAll(tag)) {
    const [, slash, name = '', attributes = '', inner = ''] = match;
    const line = lineAt(match.index);

    if (slash === '/') {
      const closed = open.length > 1 && open.at(-1)!.name === name ? open.pop() : undefined;
      if (closed && users.has(closed.name)) {
        used.push(closed);
      }

      continue;
    }

    const parent = open.at(-1)!;
    const value = inner.trim();

    if (parent.name === 'properties') {
      properties.set(name, value);
    } else if (name === 'groupId' || name === 'artifactId' || name === 'version') {
      parent.coordinates[name] = value;
      parent.line = name === 'artifactId' ? line : parent.line;
    }

    if (!attributes.endsWith('/')) {
      open.push({ name, coordinates: {}, line });
    }
  }

  return [...used, ...open.slice(0, 1)]
    .map(({ name, coordinates, line }) => {
      const { groupId, artifactId, version } = coordinates;
      if (artifactId === undefined) {
        return undefined;
      }

      const group = groupId ?? (name === 'plugin' ? 'org.apache.maven.plugins' : undefined);
      const [filledGroup, filledVersion] = [group, version].map((each) => fill(each, properties));
      const text = [filledGroup, artifactId, filledVersion].filter(Boolean).join(':');
      const entry = mavenEntry(text, filledGroup, artifactId, filledVersion);

      return entry.map((item) => ({ ...item, line }));
    })
    .filter((value) => value !== undefined);
}

function withoutComments(text: string): string {
  return text
    .split('<!--')
    .map((part, place) => {
      const end = part.indexOf('-->');
      // Keep the line breaks, which count the lines.
      return place > 0 && end >= 0
        ? part.slice(0, end).replaceAll(/[^\n]+/g, '') + part.slice(end + 3)
        : part;
    })
    .join('');
}

/** A property may name another. A long one stays unread: its start would be a version that nobody stated. */
function fill(
  text: string | undefined,
  properties: ReadonlyMap<string, string>,
): string | undefined {
  let filled = text;

  for (let level = 0; level < 3 && filled?.includes('${'); level += 1) {
    filled = filled
      .replaceAll(/\$\{([^{}]+)\}/g, (written, name) => {
        const value = properties.get(name as string) ?? written;
        return value.length > longestProperty ? written : value;
      })
      .slice(0, longestText);
  }

  return filled;
}
