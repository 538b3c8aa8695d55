import { Argument, type Command, Option } from 'commander';
import { type Io, say } from './io.ts';

/** Command with the words that can follow it: its subcommands, its flags, and the values of flags with choices. */
interface Node {
  path: string;
  words: string[];
  flags: { flag: string; takesValue: boolean; choices: string[] }[];
}

/** Values that a shell may offer for a command that takes more than these, or explains better why not. */
const offered = new WeakMap<Argument | Option, readonly string[]>();

export function offer(where: Argument | Option, words: readonly string[]): void {
  offered.set(where, words);
}

export function completionCommand(florin: Command, io: Io): void {
  const shells = { bash: bashScript, zsh: zshScript, fish: fishScript };
  florin
    .command('completion')
    .description('print a shell script that completes commands, resources and flags')
    .addArgument(new Argument('<shell>').choices(Object.keys(shells)))
    .addHelpText(
      'after',
      '\nExamples:\n  $ florin completion bash > ~/.local/share/bash-completion/completions/florin\n  $ florin completion zsh > ~/.zfunc/_florin\n  $ florin completion fish > ~/.config/fish/completions/florin.fish',
    )
    .action((shell: keyof typeof shells) => say(io, shells[shell](nodesOf(florin))));
}

function nodesOf(command: Command, path = ''): Node[] {
  const own: Node = {
    path,
    words: [
      ...command.commands.map((child) => child.name()),
      ...command.registeredArguments.flatMap((argument) => offered.get(argument) ?? []),
    ],
    flags: [...command.options, new Option('--help')].map((option) => ({
      flag: option.long!,
      takesValue: option.required,
      choices: [...(option.argChoices ?? offered.get(option) ?? [])],
    })),
  };
  return [own, ...command.commands.flatMap((child) => nodesOf(child, `${path} ${child.name()}`.trim()))];
}

const cases = (nodes: readonly Node[], line: (node: Node) => string | undefined) =>
  nodes
    .map(line)
    .filter((text) => text !== undefined)
    .join('\n');

/** The three tables every script has: what follows a command, which flags take a value, and which values. */
function tables(nodes: readonly Node[]): { words: string; values: string; choices: string } {
  const valued = new Set(nodes.flatMap(({ flags }) => flags.filter((f) => f.takesValue).map((f) => f.flag)));
  return {
    words: cases(
      nodes,
      ({ path, words, flags }) =>
        `    '${path}') echo '${[...words, ...flags.map((f) => f.flag)].join(' ')}' ;;`,
    ),
    values: [...valued].sort().join('|'),
    choices: cases(
      nodes.flatMap(({ path, flags }) =>
        flags.filter((f) => f.choices.length > 0).map((f) => ({ path, words: f.choices, flags: [f] })),
      ),
      ({ path, words, flags }) => `    '${path} ${flags[0]!.flag}') echo '${words.join(' ')}' ;;`,
    ),
  };
}

/** Functions that bash and zsh read alike. */
function sharedFunctions(nodes: readonly Node[]): string {
  const { words, values, choices } = tables(nodes);
  return `_florin_words() {
  case "$1" in
${words}
  esac
}

_florin_choices() {
  case "$1" in
${choices}
  esac
}

_florin_takes_value() {
  case "$1" in
    ${values}) return 0 ;;
  esac
  return 1
}

# The command typed so far, without flags and their values.
_florin_path() {
  local path='' word skip=''
  for word in "$@"; do
    if [ -n "$skip" ]; then skip=''; continue; fi
    case "$word" in
      -*) if _florin_takes_value "$word"; then skip=yes; fi ;;
      *) if [ -n "$(_florin_words "\${path:+$path }$word")" ]; then path="\${path:+$path }$word"; fi ;;
    esac
  done
  echo "$path"
}`;
}

function bashScript(nodes: readonly Node[]): string {
  return `# florin completion for bash
${sharedFunctions(nodes)}

_florin() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path
  path="$(_florin_path "\${COMP_WORDS[@]:1:COMP_CWORD-1}")"
  if _florin_takes_value "$previous"; then
    COMPREPLY=($(compgen -W "$(_florin_choices "$path $previous")" -- "$current"))
  else
    COMPREPLY=($(compgen -W "$(_florin_words "$path")" -- "$current"))
  fi
}
complete -o default -F _florin florin`;
}

function zshScript(nodes: readonly Node[]): string {
  return `#compdef florin
# florin completion for zsh
${sharedFunctions(nodes)}

_florin() {
  local path_typed previous="\${words[CURRENT-1]}"
  path_typed="$(_florin_path "\${(@)words[2,CURRENT-1]}")"
  if _florin_takes_value "$previous"; then
    local choices="$(_florin_choices "$path_typed $previous")"
    if [ -n "$choices" ]; then compadd -- \${=choices}; else _files; fi
  else
    compadd -- \${=$(_florin_words "$path_typed")}
  fi
}
compdef _florin florin`;
}

function fishScript(nodes: readonly Node[]): string {
  const { words, values, choices } = tables(nodes);
  const fishCase = (text: string) =>
    text.replace(
      /^ {4}('[^']*'|[^)]*)\) echo '([^']*)' ;;$/gm,
      (_, path, list) => `    case ${path}\n      string split ' ' -- '${list}'`,
    );
  return `# florin completion for fish
function __florin_words
  switch "$argv[1]"
${fishCase(words)}
  end
end

function __florin_choices
  switch "$argv[1]"
${fishCase(choices)}
  end
end

function __florin_complete
  set -l typed ''
  set -l skip ''
  set -l valued '${values.replaceAll('|', "' '")}'
  set -l previous ''
  for word in (commandline -opc)[2..-1]
    set previous $word
    if test -n "$skip"
      set skip ''
      continue
    end
    if string match -q -- '-*' $word
      contains -- $word $valued; and set skip yes
    else
      set -l next (string trim -- "$typed $word")
      test -n "$(__florin_words $next)"; and set typed $next
    end
  end
  if test -n "$skip"
    __florin_choices "$typed $previous"
  else
    __florin_words "$typed"
  end
end
complete -c florin -f -a '(__florin_complete)'`;
}
