import semver from 'semver';

/** What a go.mod says of versions of its module. */
export interface GoMod {
  /** Why the module as a whole is deprecated. */
  deprecated?: string;
  retractions: Retraction[];
}

interface Retraction {
  low: string;
  high: string;
  /** Empty where none is given. */
  reason: string;
}

/**
 * Reads the directives `module` and `retract` (go.dev/ref/mod#go-mod-file): one a line or several in a block, explained by a
 * comment behind or above them, or above the block.
 */
export function parseGoMod(text: string): GoMod {
  const mod: GoMod = { retractions: [] };
  let above: string[] = [];
  let block: { verb: string; comment: string } | undefined;
  for (const line of text.split('\n')) {
    const [, code = '', behind] = /^(.*?)(?:\/\/(.*))?$/s.exec(line.trim())!;
    const words = code.trim();
    if (words === '') {
      if (behind === undefined) above = [];
      else above.push(behind.trim());
      continue;
    }
    const comment = [...above, ...(behind === undefined ? [] : [behind.trim()])].join('\n');
    above = [];
    const opened = /^(\w+)\s*\($/.exec(words);
    if (opened) block = { verb: opened[1]!, comment };
    else if (words === ')') block = undefined;
    else if (block) take(block.verb, words, comment || block.comment);
    else take(/^\w*/.exec(words)![0], words.replace(/^\w+\s*/, ''), comment);
  }
  return mod;

  function take(verb: string, rest: string, comment: string): void {
    if (verb === 'module') {
      const deprecated = /(?:^|\n\n)Deprecated:\s*(.*?)\s*(?:\n\n|$)/s.exec(comment)?.[1];
      if (deprecated !== undefined) mod.deprecated = deprecated;
    }
    if (verb !== 'retract') return;
    const [low, high = low] = rest.match(/v\d[^\s,\]]*/g) ?? [];
    if (low !== undefined) mod.retractions.push({ low, high: high!, reason: comment });
  }
}

/** The reason, which may be empty; undefined for a version that is not retracted. */
export function whyRetracted({ retractions }: GoMod, version: string): string | undefined {
  if (!semver.valid(version)) return undefined;
  return retractions.find(({ low, high }) => {
    if (!semver.valid(low) || !semver.valid(high)) return false;
    return semver.gte(version, low) && semver.lte(version, high);
  })?.reason;
}
