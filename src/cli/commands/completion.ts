import { commonOptions } from '../command-line.ts';
import { UsageError, type Command, type Invocation } from '../command.ts';
import { commands, loadCommand, verbsOf } from '../commands.ts';

export const command: Command = {
  arguments: '<bash|zsh>',
  options: {},
  details: [
    'Prints a script that completes verbs, options and names of components, behind "release-index" and "npx release-index".',
  ],
  examples: [
    ['completion bash >>~/.bashrc', 'from the next shell on'],
    ['completion zsh >>~/.zshrc', 'after compinit'],
  ],
  run,
};

async function run({ arguments: [shell], report }: Invocation): Promise<number> {
  if (shell !== 'bash' && shell !== 'zsh')
    throw new UsageError(`completion: expected bash or zsh; got "${shell}"`);
  const script = shells[shell](await cases());
  report.print(...script.split('\n'));
  report.document({ verb: 'completion', shell, script });
  return 0;
}

/** The branches of a `case` over the words after the program: what may come next. */
async function cases(): Promise<string> {
  const words = new Set(Object.keys(commands).map((verb) => verb.split(' ')[0]!));
  const branches = [`'') list='${[...words].join(' ')}' ;;`];
  for (const word of words) {
    const group = verbsOf(word).map((verb) => verb.split(' ')[1]);
    if (group.length > 0) branches.push(`${word}) list='${group.join(' ')}' ;;`);
  }
  for (const verb of Object.keys(commands)) {
    const { options, arguments: usage = '' } = await loadCommand(verb);
    const names = Object.keys({ ...options, ...commonOptions }).map((name) => `--${name}`);
    const components = usage.includes('component') ? ' $components' : '';
    branches.push(`'${verb}'|'${verb} '*) list="${names.join(' ')}${components}" ;;`);
  }
  return branches.map((branch) => `    ${branch}`).join('\n');
}

const components = `local list before components="$(ls components 2>/dev/null | sed -n 's/\\.json$//p' | tr '\\n' ' ')"`;

const shells = {
  bash: (cases: string) => `_release_index() {
  ${components}
  local words=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
  if [[ \${COMP_WORDS[0]} == npx ]]; then
    [[ \${words[0]} == release-index ]] || return 0
    words=("\${words[@]:1}")
  fi
  before="\${words[*]}"
  case "$before" in
${cases}
  esac
  COMPREPLY=($(compgen -W "$list" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _release_index release-index npx`,
  zsh: (cases: string) => `_release_index() {
  ${components}
  local -a typed=("\${(@)words[2,CURRENT-1]}")
  if [[ \${words[1]} == npx ]]; then
    [[ \${typed[1]} == release-index ]] || { _default; return; }
    shift typed
  fi
  before="\${typed[*]}"
  case "$before" in
${cases}
  esac
  compadd -- \${=list} || _default
}
compdef _release_index release-index npx`,
};
