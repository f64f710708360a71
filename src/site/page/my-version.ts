import type { Movable } from '../../ask/upgrade-path.ts';
import { copyButton } from './copying.ts';
import { describeFailure, loadAnswers, readDetails, readStatus } from './documents.ts';
import { debounce, find, findAll, make, on, openAround, releaseRow } from './dom.ts';
import { askedIn, hashOf } from './release-address.ts';
import { andMore, maxShown } from './tables.ts';

/** The verdict on the version that somebody has, and the releases between it and the one to move to. */
export function setUpMyVersion(form: HTMLFormElement, component: string): void {
  const mine = find<HTMLInputElement>('#mine-version');
  const targetBox = find<HTMLInputElement>('#mine-target');
  const box = find('#mine-answer');
  const offered = findAll('.releases th a');
  find('#versions').append(...offered.map(({ textContent }) => make('option', { value: textContent })));
  const hash = () => {
    const version = mine.value.trim();
    return version && hashOf(version, targetBox.value.trim());
  };

  const answerLater = debounce(async () => {
    const asked = hash();
    mark('');
    const shown = asked ? await answerTo(asked).catch((error: Error) => [describeFailure(error)]) : [];
    if (asked === hash()) box.replaceChildren(...shown);
  });

  // The recommended version is shown as a hint, so that somebody can write another one.
  targetBox.placeholder = targetBox.value;
  targetBox.value = '';
  form.hidden = false;
  on(form, 'submit', (event) => event.preventDefault());
  on(form, 'input', () => {
    history.replaceState(null, '', hash() || location.pathname);
    answerLater();
  });
  addEventListener('hashchange', readAddress);
  readAddress();

  function readAddress(): void {
    const asked = askedIn(location.hash);
    if (!asked) return;
    mine.value = asked.version;
    targetBox.value = asked.target ?? '';
    answerLater();
  }

  async function answerTo(asked: string): Promise<(Node | string)[]> {
    const wanted = targetBox.value.trim();
    const [{ answerVersion }, status, details] = await Promise.all([
      loadAnswers(),
      readStatus(),
      readDetails(component),
    ]);
    const { text, version, moveTo, target, between } = answerVersion(
      status,
      details,
      mine.value.trim(),
      wanted,
    );
    targetBox.placeholder = moveTo?.version ?? '';
    mark(version);
    const link = make('a', { href: asked }, 'Address of this answer');
    const copy = copyButton(link, 'the address', () => link.href);
    return [
      make('p', {}, text),
      ...(target
        ? [make('p', {}, `From ${version} to ${target.version}:`), listOf([...between, target])]
        : [wanted && make('p', {}, `There is no release ${wanted} to move to.`)]),
      make('p', {}, link, copy),
    ];
  }
}

/** Releases on the way, each with its notes. */
function listOf(releases: readonly Movable[]): HTMLElement {
  const items = releases
    .slice(0, maxShown)
    .map(({ version, isDeprecated, changelogUrl: href }) =>
      make('li', {}, href ? make('a', { href }, version) : version, isDeprecated && ' deprecated'),
    );
  const more = andMore(releases.length - items.length);
  return make('ol', {}, ...items, more && make('li', {}, more));
}

/** Marks the row of a release, if the page has it, and no other one. */
function mark(version: string): void {
  find('.mine')?.classList.remove('mine');
  const row = releaseRow(version);
  row?.classList.add('mine');
  openAround(row);
}
