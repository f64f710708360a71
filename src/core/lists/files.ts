/** Turns Dockerfiles, and what package managers lock without JSON, into lines of a list. No zod and no Node: pages load it. */
import { blankOut } from './list.ts';

/** Each entry keeps the line that it begins in. Another text stays as it is. */
export function rewriteFile(text: string): string {
  if (/^\[\[packages?\]\]$/m.test(text)) {
    return listTomlPackages(text);
  }
  if (/^ {2}specs:$/m.test(text)) {
    return listGems(text);
  }
  const isGo = /^module\s/m.test(text) && /^(?:go|require)[ (]/m.test(text);
  if (isGo) {
    return listGoModules(text);
  }
  return /^(?:\s*(?:#.*|ARG\s.*)?\n)*FROM\s/.test(text)
    ? listBaseImages(text)
    : // `go list -m all` begins with the module of the folder.
      text.replace(/^\S+\n(?=\S+ v\d)/, '\n');
}

/** What a Dockerfile says of anything but images, with the lines in which it goes on. */
const instruction =
  /^[ \t]*(?!FROM|COPY.*--from=)[A-Z]{3,}\s(?:.*<<-?["']?(\w+)["']?[^]*?\n\1$|(?:.*\\\n)*.*)/gm;

/** The images on which a Dockerfile builds, or of which it copies files, as YAML names them. */
function listBaseImages(text: string): string {
  const stages = text.matchAll(/^\s*FROM\s.+\sAS\s+(\S+)/gim);
  const noImages = ['scratch', '0', ...Array.from(stages, ([, stage]) => stage)];
  const form = /^\s*(?:FROM\s+(?:--\S+\s+)*|COPY\s.*?--from=)(\S+).*/gm;
  return blankOut(text, instruction).replaceAll(form, (_, image) =>
    noImages.includes(image) ? '' : `image: ${image}`,
  );
}

/** Cargo.lock, poetry.lock, uv.lock, pdm.lock and pylock.toml: tables of packages. A package of the folder itself is none that is published. */
function listTomlPackages(text: string): string {
  const isPython = /^(?:requires[-_]python|python-versions|lock[-_]version) = /m.test(text);
  const localForm =
    /^source = \{ (?:editable|virtual|directory) =|^type = "directory"$|^directory = /m;
  const blocks = text.matchAll(/^(\[\[packages?\]\]$)([^]*?)(?=^\[\[package|(?![^]))|^.*$/gm);
  return Array.from(blocks, ([block, start = '', content = '']) => {
    // Tables below that of the package name others.
    const [head = ''] = content.split(/^\[/m);
    const [, name] = /^name = "([^"\n]+)"/m.exec(head) ?? [];
    const [, version = ''] = /^version = "([^"\n]+)"/m.exec(head) ?? [];
    const isLocal = isPython ? localForm.test(block) : !/^source = /m.test(head);
    const entry = name ? `pkg:${isPython ? 'pypi' : 'cargo'}/${name}@${version}` : start;
    return `${isLocal ? '' : entry}${block.replaceAll(/./g, '')}`;
  }).join('\n');
}

/** Of Gemfile.lock, `    nokogiri (1.13.10-x86_64-linux)`: a gem, and the platform of its file. What stands deeper are ranges; what stands below PATH is in the folder. */
function listGems(text: string): string {
  const gems = blankOut(text, /^PATH$(?:\n .*)*|^(?! {4}\S).*/gm);
  return gems.replaceAll(/^ {4}(\S+) \(([^-)\s]+)[^)]*\)$/gm, 'pkg:gem/$1@$2');
}

/** Of go.mod, the modules that are required, with what replaces them as `go list -m all` has it (go.dev/ref/mod#go-mod-file). */
function listGoModules(text: string): string {
  const stated = text.matchAll(/^(?:replace)?\s+(\S+(?: v\S+)?) => (\S+(?: v\S+)?)/gm);
  const replaced = new Map(Array.from(stated, ([, module = '', other = '']) => [module, other]));
  const required = blankOut(text, /^(?!require)\w+ \([^)]*|^(?!require )\S.*|^require \($/gm);
  return required.replaceAll(/^(?:require)?\s+((\S+) v\S+).*/gm, (_, module, name) => {
    const other = replaced.get(module) ?? replaced.get(name);
    return other === undefined ? module : `${module} => ${other}`;
  });
}
