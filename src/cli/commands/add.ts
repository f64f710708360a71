import { addPackages } from '../add-packages.ts';
import { areProducts, addOptions, type AddOptions } from '../add-arguments.ts';
import type { Command } from '../command.ts';

export const command: Command<AddOptions> = {
  arguments: { optional: ['datasource', 'package'], isOpen: true },
  options: addOptions,
  details: [
    'Asks the registry for title, description, homepage and changelog of the package, writes components/<component>.json, and',
    'records its releases in data/<component>.json. --replace keeps recorded data and values that no registry states, such as a',
    'support policy. Where no homepage or changelog is stated, it uses the page of the repository, its releases, the page in the',
    'registry or that in this index, and says so. The support policy comes from endoflife.date, if that has the package;',
    'otherwise a terminal asks for it. If a registry fails or does not know the package, nothing is written.',
    'Products of endoflife.date, or of --from-instance: lists of releases become sources, a rule the policy. Without a rule, or',
    'where that gives a line another state today, the product goes on stating the ends.',
    'With several packages, it skips those that the index already has, and goes on after a failure.',
    '--from ignores versions. A bill of materials is CycloneDX or SPDX 2 as JSON. The images of a cluster:',
    '  kubectl get pods -A -o jsonpath="{..image}" | tr " " "\\n"',
  ],
  examples: [
    ['add npm @example/agent', 'a package of the registry that npm is configured with'],
    ["add npm '@example/*'", 'all packages of a scope'],
    ['add --from bom.json', 'all packages of a bill of materials'],
    ['add maven com.example:agent --dry-run', 'what would be written'],
    ['add docker example/server --registry-url https://ghcr.io', 'from another registry'],
    [
      'add helm server --registry-url https://charts.example.com',
      'a chart, which needs its repository',
    ],
    [
      'add json https://example.com/agent.json',
      "a document of Renovate's form, or of another index",
    ],
    ['add nodejs postgresql', 'products of endoflife.date, with their sources and rules'],
    ['add endoflife-date --all ../ends', 'all products of a fork of endoflife.date'],
    ['add static agent.csv', 'a list that you keep: JSON, CSV, or lines of version and day'],
  ],
  run(invocation) {
    const { arguments: words } = invocation;
    return addPackages({
      ...invocation,
      words: areProducts(words) ? ['endoflife-date', ...words] : words,
    });
  },
};
