import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { programFolder, vendoredWorkflow } from '../../io/program.ts';

/** The workflow that builds and publishes an index, and the action that it calls. */
const projectFiles = [
  'workflows/publish.yml',
  'actions/release-index/action.yml',
  'actions/release-index/run.sh',
];

interface VendoredFile {
  /** Below `.github/`. */
  path: string;
  text: string;
}

/** The workflow and the action of this project as an index has them: each runs the program of the index's lock file. */
export function readVendoredFiles(): VendoredFile[] {
  return projectFiles.map((path) => ({
    path: path.replace('publish.yml', vendoredWorkflow),
    text: readFileSync(join(programFolder, '.github', path), 'utf8')
      .replace(ownCommit, 'package-lock.json.\n#')
      .replace(checkoutSteps, installSteps)
      .replaceAll(checkoutCall, 'npx --no -- release-index'),
  }));
}

// The parts that differ in an index. A test of `init` fails where publish.yml has them in another form.

/** A comment in the first lines: `its own commit, with the dependencies locked there, … attests.` */
const ownCommit = /its own commit, with[^.]+\./;

/**
 * The steps that check this project out, set up Node, and install the program, shortened here. The checkout of the index comes
 * before, and has a comment behind `with:`.
 *
 *       - uses: actions/checkout@…
 *         with:
 *           repository: …
 *       - uses: actions/setup-node@…
 *       - run: …
 *         env:
 *           COMMIT: …
 */
const checkoutSteps =
  / {6}- uses: \S+ .*\n {8}with:\n {10}repository: [^]*?(actions\/setup-node.*)\n[^]*?COMMIT: .*\n/;

/** Their replacement, with the same version of the action that sets up Node. */
const installSteps = `      - uses: $1
        with:
          node-version: 24
      - run: npm ci --ignore-scripts
        env:
          NPM_TOKEN: \${{ secrets.NPM_TOKEN }}
`;

/** A call of the program in the checkout, with the folder of the checkout. */
const checkoutCall = /npm run --silent --prefix \S+ release-index --/g;
