/** Reads the files in which package managers lock versions and that are no JSON. No zod and no Node: pages load it. */
import { readPurl, type Item } from '../index/item.ts';
import { formatPackage } from '../purl.ts';
import { blankOut } from './list.ts';

/** Of Cargo.lock, poetry.lock and their like; of Gemfile.lock; of go.mod. */
export const lockFileReaders = {
  toml: readTomlPackages,
  gemfile: readGemfile,
  go: readGoMod,
};
export type LockFile = keyof typeof lockFileReaders;

function readEntry(type: string, name: string, version: string, line: number): Item[] {
  return readPurl(formatPackage(type, name), version).map((item) => ({ ...item, line }));
}

/** Cargo.lock, poetry.lock, uv.lock, pdm.lock and pylock.toml: tables of packages. A package of the folder itself is none that is published. */
function readTomlPackages(text: string): Item[] {
  const isPython = /^(?:requires[-_]python|python-versions|lock[-_]version) = /m.test(text);
  const localForm =
    /^source = \{ (?:editable|virtual|directory) =|^type = "directory"$|^directory = /m;
  const lines = text.split('\n');
  const starts = lines.flatMap((line, index) => (/^\[\[packages?\]\]$/.test(line) ? index : []));
  return starts.flatMap((start, position) => {
    const block = lines.slice(start, starts[position + 1]).join('\n');
    // Tables below that of the package name others.
    const [, head = ''] = block.split(/^\[/m);
    const [, name] = /^name = "([^"\n]+)"/m.exec(head) ?? [];
    const [, version] = /^version = "([^"\n]+)"/m.exec(head) ?? [];
    const isLocal = isPython ? localForm.test(block) : !/^source = /m.test(head);
    return name && version && !isLocal
      ? readEntry(isPython ? 'pypi' : 'cargo', name, version, start + 1)
      : [];
  });
}

/** `    nokogiri (1.13.10-x86_64-linux)`: a gem, and the platform of its file. What stands deeper are ranges; what stands below PATH is in the folder. */
function readGemfile(text: string): Item[] {
  const published = blankOut(text, /^PATH$(?:\n .*)*/gm);
  return published.split('\n').flatMap((line, index) => {
    const [, name, version] = /^ {4}(\S+) \(([^-)\s]+)[^)]*\)$/.exec(line) ?? [];
    return name && version ? readEntry('gem', name, version, index + 1) : [];
  });
}

/** The modules that are required, or what replaces them (go.dev/ref/mod#go-mod-file). */
function readGoMod(text: string): Item[] {
  const form = /^(?:replace)?\s+(\S+)(?: (v\S+))? => (\S+)(?: (v\S+))?/gm;
  const replaced = Array.from(
    text.matchAll(form),
    ([, name, version, other = '', otherVersion]) => ({ name, version, other, otherVersion }),
  );
  const required = blankOut(text, /^(?!require)\w+ \([^)]*/gm);
  return required.split('\n').flatMap((line, index) => {
    const [, name = '', version] = /^(?:require)?\s+(\S+) (v\S+)/.exec(line) ?? [];
    const substitute = replaced.find(
      (each) => each.name === name && (each.version ?? version) === version,
    );
    // A folder is no published module, and has no version.
    const used = substitute ? substitute.otherVersion : version;
    return used ? readEntry('golang', substitute?.other ?? name, used, index + 1) : [];
  });
}
