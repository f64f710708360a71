/** Reads the files in which package managers lock versions and that are no JSON. No zod and no Node: pages load it. */
import { readPurl, type Item, type ReadList } from '../index/item.ts';
import { formatPackage } from '../purl.ts';

/** Cargo.lock, poetry.lock and their like; Gemfile.lock; go.mod. */
export type LockFile = 'toml' | 'gemfile' | 'go';

const readers: Readonly<Record<LockFile, (text: string) => Item[]>> = {
  toml: readTomlPackages,
  gemfile: readGemfile,
  go: readGoMod,
};

export function readLockFile(kind: LockFile, text: string): ReadList {
  return { items: readers[kind](text), problems: [] };
}

function readEntry(type: string, name: string, version: string, line: number): Item[] {
  return readPurl(formatPackage(type, name), version).map((item) => ({ ...item, line }));
}

/** Cargo.lock, poetry.lock, uv.lock, pdm.lock and pylock.toml: tables of packages. A package of the folder itself is none that is published. */
function readTomlPackages(text: string): Item[] {
  const isPython = /^(?:requires[-_]python|python-versions|lock[-_]version) = /m.test(text);
  const localForm =
    /^source = \{ (?:editable|virtual|directory) =|^type = "directory"$|^directory = /m;
  let nextLine = 1;
  return text.split(/^(?=\[\[packages?\]\]$)/m).flatMap((block) => {
    const line = nextLine;
    nextLine += block.split('\n').length - 1;
    // Tables below that of the package name others, as do those before the first package.
    const [, head = ''] = block.startsWith('[[package') ? block.split(/^\[/m) : [];
    const [, name] = /^name = "([^"\n]+)"/m.exec(head) ?? [];
    const [, version] = /^version = "([^"\n]+)"/m.exec(head) ?? [];
    const isLocal = isPython ? localForm.test(block) : !/^source = /m.test(head);
    return name && version && !isLocal
      ? readEntry(isPython ? 'pypi' : 'cargo', name, version, line)
      : [];
  });
}

/** `    nokogiri (1.13.10-x86_64-linux)`: a gem, and the platform of its file. What stands deeper are ranges; what stands below PATH is in the folder. */
function readGemfile(text: string): Item[] {
  let section = '';
  return text.split('\n').flatMap((raw, index) => {
    section = /^[A-Z ]+$/.exec(raw)?.[0] ?? section;
    const [, name, version] = /^ {4}(\S+) \(([^-)\s]+)[^)]*\)$/.exec(raw) ?? [];
    return name && version && section !== 'PATH' ? readEntry('gem', name, version, index + 1) : [];
  });
}

/** The modules that are required, or what replaces them (go.dev/ref/mod#go-mod-file). */
function readGoMod(text: string): Item[] {
  const form = /^(?:replace)?\s+(\S+)(?: (v\S+))? => (\S+)(?: (v\S+))?/gm;
  const replaced = Array.from(
    text.matchAll(form),
    ([, name, version, other = '', otherVersion]) => ({ name, version, other, otherVersion }),
  );
  // Blocks that require nothing, without their lines.
  const required = text.replaceAll(/^(?!require)\w+ \([^)]*/gm, (block) =>
    block.replaceAll(/./g, ''),
  );
  return required.split('\n').flatMap((raw, index) => {
    const [, name = '', version] = /^(?:require)?\s+(\S+) (v\S+)/.exec(raw) ?? [];
    const substitute = replaced.find(
      (each) => each.name === name && (each.version ?? version) === version,
    );
    // A folder is no published module, and has no version.
    const used = substitute ? substitute.otherVersion : version;
    return used ? readEntry('golang', substitute?.other ?? name, used, index + 1) : [];
  });
}
