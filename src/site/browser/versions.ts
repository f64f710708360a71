/** Answers questions about a version on the page of its component. */
import { describeObstacle } from '../../ask/verdicts.ts';
import { nameAnchor } from '../../core/anchors.ts';
import { createElement, createLink, findEntries, type Answer } from './find.ts';

/** Returns the verdict on a version. `address`: the anchor of the version's row, or else of its release line. */
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
  const rowAnchor = nameAnchor(match.version);
  const hasRow = document.getElementById(rowAnchor) !== null;
  const anchor = hasRow ? rowAnchor : line && `line-${line}`;
  const content = [
    createElement('p', `${match.version}: ${label}.`, 'result'),
    createElement('p', `${sentence} ${advice}`),
    createElement('p', because.join(' '), 'note'),
  ];
  if (anchor) {
    const link = createElement('p');
    link.append(createLink(`#${anchor}`, hasRow ? 'Show its row' : `Show line ${line}`));
    content.push(link);
  }
  return { content, address: anchor };
}
