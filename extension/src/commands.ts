/**
 * Commands, in the palette and with shortcuts (`schema/panel.json`): whatever a pointer can do in a panel.
 *
 * They act on the panel of the notebook's active cell. Their names are in the reader's language.
 */

import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { ICommandPalette } from '@jupyterlab/apputils';
import type { Cell } from '@jupyterlab/cells';
import type { INotebookTracker } from '@jupyterlab/notebook';
import { Beside } from './beside';
import { copyText } from './dom';
import type { ViewName } from './model';
import { type Preferences, VIEW_NAMES } from './settings';
import { type SidePanel, toggleSide } from './side';

const CATEGORY = 'graphlab';

interface IHandler {
  /** The message id of its name. */
  name: string;
  /** What it does to the panel of the active cell. */
  run(beside: Beside, cell: Cell): void | Promise<void>;
  /** Whether it opens a panel that is closed. */
  opens?: boolean;
}

export function addCommands(
  app: JupyterFrontEnd,
  tracker: INotebookTracker,
  preferences: Preferences,
  side: SidePanel,
  palette: ICommandPalette | null
): void {
  const { commands } = app;
  const words = (id: string): string => preferences.words.text(id);
  const current = (): { beside: Beside; cell: Cell } | null => {
    const cell = tracker.currentWidget?.content.activeCell;
    const beside = Beside.of(cell);
    return cell && beside?.view ? { beside, cell } : null;
  };
  const every = (): Beside[] =>
    (tracker.currentWidget?.content.widgets ?? []).flatMap(cell => {
      const beside = Beside.of(cell);
      return beside?.view ? [beside] : [];
    });

  /** The next cell of the notebook that has a panel, or the one before; built if it is not yet. */
  const toCell = async (by: 1 | -1): Promise<Beside | null> => {
    const notebook = tracker.currentWidget?.content;
    if (!notebook) {
      return null;
    }
    for (let i = notebook.activeCellIndex + by; i >= 0 && i < notebook.widgets.length; i += by) {
      const cell = notebook.widgets[i];
      if (Beside.of(cell)?.view || side.says(cell.model.id)) {
        notebook.deselectAll();
        notebook.activeCellIndex = i;
        await notebook.scrollToItem(i, 'smart');
        await cell.ready;
        return Beside.of(cell) ?? null;
      }
    }
    return null;
  };
  const toTrace = async (by: 1 | -1): Promise<void> => {
    const here = current();
    if (here?.beside.view?.stepTrace(by)) {
      here.beside.hidden = false;
      return;
    }
    const next = await toCell(by);
    if (next?.view) {
      next.hidden = false;
      next.view.stepTrace(by, true);
    }
  };
  const copy = async (beside: Beside, text: string | null | undefined): Promise<void> => {
    if (text) {
      await copyText(text);
      beside.view?.announce(preferences.words.text('copied'));
    }
  };

  const handlers: Record<string, IHandler> = {
    'toggle-panel': {
      name: 'toggle_panel',
      run: beside => {
        beside.hidden = !beside.hidden;
      }
    },
    'toggle-wide': {
      name: 'toggle_wide',
      opens: true,
      run: beside => {
        beside.wide = !beside.wide;
      }
    },
    'focus-panel': { name: 'focus', opens: true, run: beside => beside.view?.focus() },
    'next-tab': { name: 'next_tab', opens: true, run: beside => beside.view?.stepView(1) },
    'previous-tab': { name: 'previous_tab', opens: true, run: beside => beside.view?.stepView(-1) },
    'go-to-line': {
      name: 'go_to_line',
      run: (beside, cell) => {
        const line = beside.view?.selectedLine;
        const notebook = tracker.currentWidget?.content;
        if (notebook && cell.editor && line) {
          notebook.mode = 'edit';
          cell.inputHidden = false;
          cell.editor.setCursorPosition({ line: line - 1, column: 0 });
          cell.editor.focus();
        }
      }
    },
    'copy-reason': { name: 'copy_reason', run: beside => copy(beside, beside.view?.reason) },
    'copy-fix': { name: 'copy_fix', run: beside => copy(beside, beside.view?.fix) },
    'expand-all': { name: 'expand_all', opens: true, run: beside => beside.view?.expandAll() }
  };

  const all: { command: string; args?: { view: ViewName } }[] = [];
  const add = (id: string, name: string, execute: () => unknown, isEnabled: () => boolean): void => {
    const command = `graphlab:${id}`;
    commands.addCommand(command, {
      label: () => words(`lab.command.${name}`),
      isEnabled,
      execute,
      describedBy: { args: null }
    });
    all.push({ command });
  };
  const open = (): boolean => tracker.currentWidget !== null;
  for (const [id, { name, run, opens }] of Object.entries(handlers)) {
    const execute = (): unknown => {
      const here = current();
      if (!here) {
        return;
      }
      if (opens) {
        here.beside.hidden = false;
      }
      return run(here.beside, here.cell);
    };
    add(id, name, execute, () => current() !== null);
  }
  const toggleAll = (): void => {
    const found = every();
    const hide = found.some(b => !b.hidden);
    for (const beside of found) {
      beside.hidden = hide;
    }
  };
  add('toggle-all-panels', 'toggle_all', toggleAll, () => every().length > 0);
  add('next-trace', 'next_trace', () => toTrace(1), open);
  add('previous-trace', 'previous_trace', () => toTrace(-1), open);
  add('next-cell', 'next_cell', () => toCell(1), open);
  add('previous-cell', 'previous_cell', () => toCell(-1), open);
  add(
    'toggle-side-panel',
    'toggle_side',
    () => toggleSide(app.shell, side),
    () => true
  );
  const settings = (): unknown => commands.execute('settingeditor:open', { query: 'graphlab' });
  add('settings', 'settings', settings, () => commands.hasCommand('settingeditor:open'));

  commands.addCommand('graphlab:show-view', {
    label: args => preferences.words.text('lab.command.view', { view: preferences.words.tab(viewOf(args)) }),
    isEnabled: args => current()?.beside.view?.views.includes(viewOf(args)) ?? false,
    execute: args => {
      const here = current();
      if (here?.beside.view?.showView(viewOf(args))) {
        here.beside.hidden = false;
      }
    },
    describedBy: {
      args: { type: 'object', properties: { view: { type: 'string', enum: VIEW_NAMES } }, required: ['view'] }
    }
  });
  for (const view of VIEW_NAMES) {
    all.push({ command: 'graphlab:show-view', args: { view } });
  }
  for (const { command, args } of all) {
    palette?.addItem({ command, args, category: CATEGORY });
  }
  preferences.changed.connect(() => commands.notifyCommandChanged());
}

function viewOf(args: { view?: unknown }): ViewName {
  return VIEW_NAMES.find(v => v === args.view) ?? 'retraces';
}
