import { expect } from 'vitest';
import { ask } from '../../src/ask/answers/ask.ts';
import type { AnsweredVersion } from '../../src/ask/answers/version-answer.ts';
import type { PublishedIndex } from '../../src/ask/answers/published-index.ts';

/** `svc 2025.1 ended`, with the version to move to where a text asks for one. */
export function versionInShort({ answer, judged }: AnsweredVersion, to?: string): string {
  const { component, version, state, with: pairs = [] } = answer;
  const others = pairs.map((pair) => ` with ${pair.component} ${pair.version} ${pair.answer}`);
  return `${component} ${version} ${state}${others.join('')}${to === undefined ? '' : ` to ${judged.target?.version}`}`;
}

/** What a person gets for a text, in the form of an expected answer. */
export async function answerInShort(
  index: PublishedIndex,
  text: string,
  expected: string,
): Promise<string> {
  const answer = await ask(index, text);
  switch (answer.kind) {
    case 'version':
      return versionInShort(answer, / to (\S+)$/.exec(expected)?.[1]);
    case 'choices':
      return `choose ${Array.from(answer.choices, ({ component }) => component)
        .sort()
        .join(', ')}`;
    case 'releases':
      return `rows ${answer.query}`;
    case 'page':
      return `page ${answer.page}`;
    case 'problem':
      expect(answer.message.split(' ').length, answer.message).toBeLessThanOrEqual(30);
      expect(answer.examples).toHaveLength(3);
      return 'none';
    case 'search':
      return 'search';
  }
}
