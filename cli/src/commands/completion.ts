// `malipo completion`: the completion script for shells.
import type { Command } from '../command.ts';
import { renderBash, renderFish, renderZsh } from '../completion.ts';

const SHELLS = ['bash', 'zsh', 'fish'];

/** The table is passed in when it is complete: this command is part of it. */
export function completionCommand(commands: () => readonly Command[]): Command {
  return {
    words: 'completion',
    summary: 'Print shell completion for bash, zsh or fish',
    arguments: [{ name: 'SHELL', summary: 'Your shell.', choices: SHELLS }],
    examples: [
      'malipo completion bash > ~/.local/share/bash-completion/completions/malipo',
      'malipo completion zsh > ~/.zfunc/_malipo',
      'malipo completion fish > ~/.config/fish/completions/malipo.fish',
    ],
    run: async ({ args: { SHELL: shell = '' } }) => {
      const script = renderFor(shell, commands());
      return { value: { shell, script }, text: script };
    },
  };
}

function renderFor(shell: string, commands: readonly Command[]): string {
  if (shell === 'zsh') return renderZsh(commands);
  return shell === 'fish' ? renderFish(commands) : renderBash(commands);
}
