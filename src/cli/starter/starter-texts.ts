/** The texts of the files of an index: templates and the workflow of this project, adapted to what the index needs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Host } from '../../core/schemas/definition/site-config.ts';
import { describePath, listEntriesBelow } from '../../io/files/file-system.ts';
import { readsNpmToken } from '../../io/http/npm-config.ts';
import { programFolder, vendoredWorkflow } from '../../io/program.ts';

/** The facts that decide of which kinds an index is. */
export interface KindFacts {
  /** The folder of the index, absolute; may be missing. */
  folder: string;
  /** The host of the site. */
  host: Host;
  /** Whether the index asks its readers for a credential. */
  isPrivate: boolean;
  /** Whether its list of digests is signed. */
  isSigned: boolean;
}

/** A file of this project from which one of an index is made. */
interface Template {
  path: string;
  text: string;
}

/** The files below `site/starter/`. Each has its path in the index, after `forge-github/` and so on for a file of one forge. */
export function readStarterTemplates(): Template[] {
  const folder = join(programFolder, 'site', 'starter');
  const templates: Template[] = [];
  for (const { parentPath, name } of listEntriesBelow(folder)) {
    const file = join(parentPath, name);
    // npm omits some files whose names start with a dot from packages.
    const path = describePath(folder, file).replaceAll(/(^|\/)dot-/g, '$1.');
    templates.push({ path, text: readFileSync(file, 'utf8') });
  }
  return templates;
}

/** Replaces all words at once: a value may have a word in it. */
export function replaceWords(text: string, values: Record<string, string>): string {
  const words = new RegExp(Object.keys(values).join('|'), 'g');
  return text.replaceAll(words, (word) => values[word] ?? word);
}

/** The kinds of an index, which name the parts of its files. */
export function listKinds({ folder, host, isPrivate, isSigned }: KindFacts): string[] {
  const kinds: Record<string, boolean> = {
    [host]: true,
    // Attestations are public, and a runner of one's own could publish anything.
    attested: host !== 'files' && !isPrivate,
    private: isPrivate,
    signed: isSigned,
    npm: readsNpmToken(folder),
  };
  return Object.keys(kinds).filter((kind) => kinds[kind]);
}

/** A part of a file for some kinds of indexes, between `# only: pages` and `# end` of one indent, with the empty line before it. */
const part = /^(\n?)( *)# only: (.+)\n([^]*?)^\2# end\n/gm;

/**
 * The text with the parts for an index of these kinds, without their marks. GitHub rejects a call whose jobs ask for more than the
 * caller has, even if they never run, so no index has the parts for other kinds.
 */
export function selectParts(text: string, kinds: readonly string[]): string {
  return text.replaceAll(part, (_, emptyLine: string, _indent, partKinds: string, lines: string) =>
    partKinds.split(', ').some((kind) => kinds.includes(kind))
      ? emptyLine + selectParts(lines, kinds)
      : '',
  );
}

/** The workflow that builds and publishes an index, and the action that it calls. */
const projectFiles = [
  'workflows/publish.yml',
  'actions/release-index/action.yml',
  'actions/release-index/run.sh',
];

/** The workflow and the action of this project as an index has them below `.github/`: each runs the program of the index's lock file. */
export function readVendoredFiles(): Template[] {
  return projectFiles.map((path) => ({
    path: path.replace('publish.yml', vendoredWorkflow),
    text: readFileSync(join(programFolder, '.github', path), 'utf8')
      .replace(installStep, `$&${installLines}`)
      .replaceAll(projectCall, 'npx --no -- release-index'),
  }));
}

// The lines that this project cannot have as parts for indexes, since it would run them. A test of `init` fails if publish.yml spells
// them in another way.

/** The step whose other lines are for this project only. */
const installStep = '      - name: Install the program\n';

const installLines = `        # The program of package-lock.json.
        run: npm ci --ignore-scripts
        # only: npm
        env:
          NPM_TOKEN: \${{ secrets.NPM_TOKEN }}
        # end
`;

/** A call of the program in the checkout of this project, with the folder of the checkout. */
const projectCall = /npm run --silent --prefix \S+ release-index --/g;
