import { quote } from '../../core/text.ts';
import { namedThing, packageThing, type Thing } from './thing.ts';

export interface ReadThings {
  readonly things: readonly Thing[];
  /** Why the file is refused; empty where it is not. */
  readonly problems: readonly string[];
}

/** `name=version` or a package URL a line; what follows a `#` at the start or after a space is a comment. */
export function readThingList(text: string): ReadThings {
  const things: Thing[] = [];
  const problems: string[] = [];
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const content = raw.replace(/(?:^|\s)#.*$/, '').trim();
    if (content === '') continue;
    const line = index + 1;
    const thing = readLine(content);
    if (thing) things.push({ ...thing, line });
    else problems.push(`line ${line}: expected name=version or a package URL; got ${quote(content)}`);
  }
  return { things, problems };
}

function readLine(content: string): Thing | undefined {
  if (/^pkg:/i.test(content)) return packageThing(content);
  const [, name, version] = /^([^\s=\p{Cc}]+)=([^\s=\p{Cc}]+)$/u.exec(content) ?? [];
  return name === undefined ? undefined : namedThing(name, version);
}
