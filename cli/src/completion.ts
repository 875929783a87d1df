// Completion for shells, generated from the table of commands.
import { EVERYWHERE, type Command } from './command.ts';

/** What may follow each beginning of a command: first words, second words, options. */
function listContinuations(commands: readonly Command[]): readonly (readonly [string, string])[] {
  const seconds = new Map<string, string[]>();
  for (const { words } of commands) {
    const [first = '', second] = words.split(' ');
    seconds.set(first, [...(seconds.get(first) ?? []), ...(second === undefined ? [] : [second])]);
  }
  const groups = [...seconds].filter(([, words]) => words.length > 0);
  return [
    ['', [...seconds.keys()].join(' ')],
    ...groups.map(([first, words]) => [first, words.join(' ')] as const),
    ...commands.map((command) => [command.words, listWords(command).join(' ')] as const),
  ];
}

function listWords({ options = [], arguments: args = [] }: Command): readonly string[] {
  const flags = [...options, ...EVERYWHERE].map(({ name }) => `--${name}`);
  return [...args.flatMap(({ choices = [] }) => choices), ...flags];
}

/** After an option with a fixed list of values, its values. */
function listValues(commands: readonly Command[]): readonly (readonly [string, string])[] {
  const options = commands.flatMap(({ options: own = [] }) => own);
  return options.flatMap(({ name, choices }) =>
    choices === undefined ? [] : [[`--${name}`, choices.join(' ')] as const],
  );
}

const cases = (entries: readonly (readonly [string, string])[]) =>
  entries.map(([key, words]) => `    "${key}") words="${words}" ;;`).join('\n');

/** The words before the cursor that name the command, and what may follow them. */
function renderChoice(
  commands: readonly Command[],
  { previous, typed }: { readonly previous: string; readonly typed: string },
) {
  return `  local words=""
  case "${previous}" in
${cases(listValues(commands))}
  esac
  if [ -z "$words" ]; then case "${typed}" in
${cases(listContinuations(commands))}
  esac; fi`;
}

export function renderBash(commands: readonly Command[]): string {
  return `# Completion of malipo for bash. Files are completed where nothing else fits.
_malipo() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" typed="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) break ;; *) typed="\${typed:+$typed }$word" ;; esac
  done
${renderChoice(commands, { previous: '$previous', typed: '$typed' })}
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o default -F _malipo malipo`;
}

export function renderZsh(commands: readonly Command[]): string {
  return `#compdef malipo
# Completion of malipo for zsh. Files are completed where nothing else fits.
_malipo() {
  local previous="\${words[CURRENT-1]}" typed="" word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$word" in -*) break ;; *) typed="\${typed:+$typed }$word" ;; esac
  done
  _malipo_choose "$previous" "$typed"
}
_malipo_choose() {
${renderChoice(commands, { previous: '$1', typed: '$2' })}
  if [ -n "$words" ]; then compadd -- \${=words}; else _files; fi
}
_malipo "$@"`;
}

export function renderFish(commands: readonly Command[]): string {
  const lines = listContinuations(commands).map(
    ([typed, words]) => `complete -c malipo -n '__malipo_typed "${typed}"' -f -a '${words}'`,
  );
  const values = listValues(commands).map(
    ([flag, words]) => `complete -c malipo -l ${flag.slice(2)} -x -a '${words}'`,
  );
  return `# Completion of malipo for fish.
function __malipo_typed
  set -l typed
  for word in (commandline -opc)[2..-1]
    string match -q -- '-*' $word; and break
    set -a typed $word
  end
  test "$typed" = "$argv[1]"
end
${[...lines, ...values].join('\n')}`;
}
