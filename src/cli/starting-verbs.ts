import { flag, text, type Verb } from './verb.ts';

/** Those that begin something. */
export const startingVerbs: Readonly<Record<string, Verb>> = {
  init: {
    summary: 'start an index of your own in a folder',
    synopsis: '[folder]',
    arity: [0, 1],
    shared: [],
    options: {
      'releases-url': text('URL', 'where the site will be published'),
      'repository-url': text('URL', 'where the index is kept, and readers report what is wrong'),
    },
    details: [
      'Writes components/, data/ and site/ of an empty index, a package.json that pins this version of the program, the workflows',
      'that check it and run it every day, and a configuration of Renovate that proposes later versions. Without a folder, into',
      'the current one. Where one of the files is there, it is named and nothing is written.',
      'An address that is not given is left open in site/site.json: "check" names it, and "publish" refuses it.',
    ],
    examples: [
      ['init', 'in the current folder'],
      ['init my-index --releases-url https://releases.example.com', 'in a folder that need not be there'],
    ],
  },
  add: {
    summary: 'write the definition of a component from what its registry says, and gather it',
    synopsis: '<datasource> <package>',
    arity: [0, 2],
    shared: ['root'],
    options: {
      name: text('COMPONENT', "name of the component (default: the last part of the package's name)"),
      'registry-url': text('URL', 'registry of the package, where it is not the usual one'),
      title: text('TEXT', 'instead of what the registry says'),
      homepage: text('URL', 'instead of what the registry says'),
      changelog: text('URL', 'instead of what the registry says'),
      'dry-run': flag('ask, write nothing, and show what would be written'),
    },
    details: [
      'Asks the registry for title, description, homepage and changelog of the package, writes components/<component>.json, and',
      'records its releases in data/<component>.json. A file that is there is never overwritten.',
      'Only https: links are taken. Where the registry states no homepage or changelog, the page of the repository, its releases',
      'or the page of the package in the registry stands in, and the answer says so; where there is none either, --homepage and',
      '--changelog are asked for. A registry that fails or does not know the package is quoted, and then nothing is written.',
      'What the releases show of a support policy is proposed in the answer and never written: nobody promised anything.',
      'Without arguments, it tells which datasources there are and what their packages are called.',
    ],
    examples: [
      ['add npm @example/agent', 'a package of the registry that npm is configured with'],
      ['add maven com.example:agent --dry-run', 'what would be written'],
      ['add docker example/server --registry-url https://ghcr.io', 'from another registry'],
      ['add helm server --registry-url https://charts.example.com', 'a chart, which needs its repository'],
      ['add pypi agent --name python-agent', 'under another name'],
    ],
  },
};
