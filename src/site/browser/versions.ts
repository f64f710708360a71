/** Answers questions about a version on the page of its component. */
import { describeObstacle } from '../../ask/verdicts.ts';
import { nameAnchor } from '../../core/anchors.ts';
import { createElement, findEntries, type Answer } from './find.ts';

/** Returns the verdict. `address`: the anchor of the row, or else of the line, of the version. */
export async function answerVersion(component: string, version: string): Promise<Answer> {
  if (version === '') {
    return { content: [] };
  }

  const isTag = /^[\w.]+-[a-z]/i.test(version);
  const item = { text: version, name: component, version, isTag };
  const [entry = { item, match: undefined }] = await findEntries(
    [item],
    new Map([[component, [{ component }]]]),
  );
  const { match } = entry;
  if (!match?.verdict) {
    return { content: [createElement('p', describeObstacle(entry))] };
  }

  const { label, sentence, advice, because, line } = match.verdict;
  const anchor = nameAnchor(match.version);
  // The row contains the rest.
  return document.getElementById(anchor)
    ? { content: [createElement('p', `${match.version}: ${label}.`)], address: anchor }
    : {
        content: [
          createElement('p', `${sentence} ${advice}`),
          createElement('p', because.join(' '), 'note'),
        ],
        address: line && `line-${line}`,
      };
}
