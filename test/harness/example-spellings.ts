/** The names and package URLs of the example in the spellings of people and tools. */
import { openSite } from '../../src/core/index/site-reader.ts';
import { parsePurl, type Purl } from '../../src/core/purl.ts';
import { openIndex } from '../../src/serve/published-index.ts';
import { buildExample } from './site.ts';

/** Every name and package URL of the example, in five spellings, with the newest version of its component. */
export async function listExampleSpellings() {
  const published = openIndex(openSite(buildExample()));
  const { components } = await published.status();
  const listed = Object.entries(components).map(
    async ([component, { title, aliases = [], packages = [] }]) => {
      const details = await published.details(component);
      const version = details!.releases.at(-1)?.version ?? '1.0';
      const names = [component, title, ...aliases, ...packages.map(({ purl }) => purl)];
      return names
        .flatMap(spell)
        .map((text) => ({ text, meant: `${component} ${version}`, version }));
    },
  );
  return (await Promise.all(listed)).flat();
}

/** Five ways to write a name, a package URL, or a name of a package in its registry. */
function spell(name: string): string[] {
  const purl = parsePurl(name);
  if (!purl) {
    return [
      name,
      name.toUpperCase(),
      name.toLowerCase(),
      ` ${name} `,
      `${name[0]!.toUpperCase()}${name.slice(1)}`,
    ];
  }

  return [
    name,
    name.replace('pkg:', 'PKG:'),
    name.replace(/^pkg:/, 'pkg://'),
    ...spellRegistryName(purl),
  ];
}

/** Two ways to write the name of a package in its registry. */
function spellRegistryName({ type, name }: Purl): [string, string] {
  switch (type) {
    case 'maven':
      return [name, name.replace('/', ':')];
    case 'docker':
      return [`docker.io/${name}`, name.toUpperCase()];
    case 'pypi':
      return [name.replaceAll('-', '_'), name.replaceAll('-', '_').toUpperCase()];
    default:
      return [name, name.toUpperCase()];
  }
}
