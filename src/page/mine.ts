import { answerPublished } from '../answers/published-answers.ts';
import { findRelease, versionText } from '../answers/version-answer.ts';
import { releaseAnchor } from '../render/addresses.ts';
import { copyButton } from './copying.ts';
import { calmly, find, findAll, make, on } from './dom.ts';
import { failure, index } from './fetched-index.ts';
import { askedIn, hashOf } from './release-address.ts';

const maxOffered = 200;
const maxPassed = 100;

/** The verdict on the version that somebody has, and what lies between it and the one to move to. */
export function setUpMine(form: HTMLFormElement, component: string): void {
  const mine = find<HTMLInputElement>('#mine-version');
  const target = find<HTMLInputElement>('#mine-target');
  const box = find('#mine-answer');
  const offered = findAll('.releases th a').slice(0, maxOffered);
  find('#versions').append(...offered.map(({ textContent }) => make('option', { value: textContent })));
  const hash = () => {
    const version = mine.value.trim();
    return version && hashOf({ version, target: target.value.trim() });
  };

  const answer = calmly(async () => {
    const asked = hash();
    mark('');
    const shown = asked ? await answerTo(asked).catch(failure) : '';
    if (asked === hash()) box.replaceChildren(shown);
  });

  // What is recommended stands there only until somebody writes something else.
  recommend(target.value);
  target.value = '';
  form.hidden = false;
  on(form, 'submit', (event) => event.preventDefault());
  on(form, 'input', () => {
    history.replaceState(null, '', hash() || location.pathname);
    answer();
  });
  addEventListener('hashchange', readAddress);
  readAddress();

  function recommend(version = ''): void {
    target.placeholder = version;
  }

  function readAddress(): void {
    const asked = askedIn(location.hash);
    if (!asked) return;
    mine.value = asked.version;
    target.value = asked.target ?? '';
    answer();
  }

  async function answerTo(asked: string): Promise<Node> {
    const details = await index.details(component);
    const wanted = target.value.trim();
    const found = await answerPublished(index, details, mine.value.trim(), wanted || undefined);
    const { version, moveTo, releasesBetween } = found;
    recommend(moveTo?.version);
    mark(version);
    const recommended = moveTo?.component === component ? moveTo.version : undefined;
    const goal = findRelease(details.releases, wanted || (recommended ?? ''));
    const link = make('a', { href: asked }, 'Address of this answer');
    return make(
      'div',
      {},
      make('p', {}, versionText(found)),
      goal
        ? make('p', {}, `From ${version} to ${goal.version}:`)
        : wanted && make('p', {}, `There is no release ${wanted} to move to.`),
      goal && make('ol', {}, ...notesOf([...releasesBetween, goal])),
      make(
        'p',
        {},
        link,
        copyButton(link, 'the address', () => link.href),
      ),
    );
  }
}

interface Passed {
  readonly version: string;
  readonly isDeprecated: boolean;
  readonly changelogUrl?: string | undefined;
}

function notesOf(passed: readonly Passed[]): HTMLElement[] {
  const notes = passed.slice(0, maxPassed).map(noteOf);
  const more = passed.length - notes.length;
  return more > 0 ? [...notes, make('li', {}, `and ${more} more`)] : notes;
}

function noteOf({ version, isDeprecated, changelogUrl }: Passed): HTMLElement {
  const name = changelogUrl ? make('a', { href: changelogUrl }, version) : version;
  return make('li', {}, name, isDeprecated && ' deprecated');
}

/** Marks a release where it is in the page, and no other one. */
function mark(version: string): void {
  for (const row of findAll('.mine')) row.classList.remove('mine');
  const row = document.getElementById(releaseAnchor(version));
  row?.classList.add('mine');
  const fold = row?.closest('details');
  if (fold) fold.open = true;
}
