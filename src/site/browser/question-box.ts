/**
 * Runs two search boxes: `setUpBox` for the home page, and `setUpFinder` for all other pages. The home page also answers the question in
 * its URL.
 */
import { fetchAhead } from './fetch-ahead.ts';
import { loadAhead, loadAnswers, loadLater, onSubmit, showAnswer } from './forms.ts';

const place = document.getElementById('answer')!;
const box = document.querySelector<HTMLInputElement>('#ask-text')!;
/** The question that the page answers. */
let asked = '';

export function setUpBox(form: HTMLFormElement): void {
  if (readQuestion() !== '') {
    // The answer will push down the part of the page below it. So this part is hidden until the answer is shown.
    document.body.classList.add('is-asking');
    loadAhead();
    fetchNamed(readQuestion());
    followAddress();
  }
  loadLater(loadAhead);
  addEventListener('popstate', followAddress);
  // The browser may have kept the page in memory, with the answer to another question.
  addEventListener('pageshow', followAddress);
  onSubmit(form, () => ask(box.value.trim()));
  document.addEventListener('click', askByLink);
  box.addEventListener('input', suggestComponents);
}

/** Returns the question in the URL. Empty if the URL has no question. */
function readQuestion(): string {
  return new URLSearchParams(location.search).get('q')?.trim() ?? '';
}

/**
 * For a question such as `svc 2025.1`, fetches the files of `svc` early. Recognises only the present name of a component. The file with the
 * other names is still loading at this time.
 */
function fetchNamed(question: string): void {
  const [name = ''] = question.split(' ');
  const page = `${name}.html`;
  if (document.querySelector(`[aria-labelledby="components"] [href="${CSS.escape(page)}"]`)) {
    fetchAhead(page);
    fetchAhead(`details/${name}.json`);
  }
}

function followAddress(): void {
  if (readQuestion() !== asked) {
    void answerAddress();
  }
}

function ask(question: string): void {
  if (question !== readQuestion()) {
    history.pushState(null, '', `?${new URLSearchParams({ q: question })}`);
  }
  void answerAddress();
}

async function answerAddress(): Promise<void> {
  asked = readQuestion();
  box.value = asked;
  const answer = await showAnswer(place, ({ answerQuestion }) => answerQuestion(asked));
  if (answer?.address) {
    // Replaces the URL of the question. Otherwise the back button would lead to the question, which leads to this answer again.
    location.replace(answer.address);
  } else if (answer) {
    document.body.classList.remove('is-asking');
  }
}

/** Answers the question of a link such as "Did you mean svc 2025.1?" without loading the page again. */
function askByLink(event: MouseEvent): void {
  const link = (event.target as Element).closest<HTMLAnchorElement>('a[href^="?q="]');
  const opensElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  if (link && !opensElsewhere) {
    event.preventDefault();
    ask(new URL(link.href).searchParams.get('q')!);
    document.getElementById('main')!.focus({ preventScroll: true });
    scrollTo(0, 0);
  }
}

/** While somebody types, shows the components whose title, name or description contains each word typed so far. */
async function suggestComponents(): Promise<void> {
  const { listContaining } = await loadAnswers();
  place.replaceChildren(...listContaining(box.value));
}

/**
 * Runs the search box of a page other than the home page. Opens the page of the version or component that the text names. Any other text is
 * answered by the home page.
 */
export function setUpFinder(form: HTMLFormElement): void {
  const text = form.querySelector('input')!;
  form.addEventListener('focusin', loadAhead, { once: true });
  onSubmit(form, async () => {
    const output = form.querySelector('output')!;
    const answer = await showAnswer(output, ({ findPage }) => findPage(text.value.trim()));
    if (answer?.address) {
      location.href = answer.address;
    } else if (answer) {
      form.submit();
    }
  });
}
