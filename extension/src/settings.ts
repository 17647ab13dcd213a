/**
 * What the reader prefers, from JupyterLab's settings: place and width of the panel, its tabs, language, badge.
 *
 * `schema/panel.json` has the settings and their defaults. Changes are applied to what stands there, at once.
 */

import type { ISettingRegistry } from '@jupyterlab/settingregistry';
import { type ISignal, Signal } from '@lumino/signaling';
import type { ViewName } from './model';
import { type Language, match, Words } from './words';

export const PLUGIN = 'graphlab:panel';

export const VIEW_NAMES: ViewName[] = ['retraces', 'signatures', 'code', 'graph', 'step', 'compare', 'advice'];

export interface IValues {
  place: 'beside' | 'below' | 'off';
  width: number;
  views: ViewName[];
  language: 'auto' | Language;
  badge: boolean;
}

const DEFAULTS: IValues = { place: 'beside', width: 34, views: VIEW_NAMES, language: 'auto', badge: true };

export class Preferences {
  /** @param _labLanguage JupyterLab's own language; null where it has its default. */
  constructor(private _labLanguage: string | null = null) {}

  get values(): IValues {
    return this._values;
  }

  get changed(): ISignal<this, void> {
    return this._changed;
  }

  set(values: Partial<IValues>): void {
    const next = { ...DEFAULTS, ...values };
    next.views = [...new Set(next.views)].filter(v => VIEW_NAMES.includes(v));
    if (JSON.stringify(next) !== JSON.stringify(this._values)) {
      this._values = next;
      this._changed.emit();
    }
  }

  /** What the kernel is told: the chosen language, or JupyterLab's; null leaves it to the kernel's environment. */
  get forKernel(): string | null {
    return this._values.language === 'auto' ? this._labLanguage : this._values.language;
  }

  /** The language that was chosen here or for JupyterLab; null when neither was, or when there is no catalogue. */
  get chosenLanguage(): Language | null {
    return match(this.forKernel);
  }

  /** The words of commands and titles. */
  get words(): Words {
    const lang = this.chosenLanguage ?? 'en';
    if (this._words?.lang !== lang) {
      this._words = new Words(lang);
    }
    return this._words;
  }

  /** The tabs of a function that are wanted, in the wanted order; all of them when none of them is. */
  order(views: ViewName[]): ViewName[] {
    if (this._values.views.join() === VIEW_NAMES.join()) {
      return views; // a panel's own order: what it is about stands first
    }
    const wanted = this._values.views.filter(v => views.includes(v));
    return wanted.length ? wanted : views;
  }

  private _values: IValues = DEFAULTS;
  private _words: Words | null = null;
  private _changed = new Signal<this, void>(this);
}

/** Follows JupyterLab's settings; gives their titles in the reader's language, also after that is chosen anew. */
export async function follow(preferences: Preferences, registry: ISettingRegistry): Promise<void> {
  registry.transform(PLUGIN, {
    fetch: plugin => {
      plugin.schema = translated(plugin.schema, preferences.words);
      return plugin;
    }
  });
  const settings = await registry.load(PLUGIN);
  let { lang } = preferences.words;
  const read = (): void => {
    preferences.set(settings.composite as Partial<IValues>);
    if (preferences.words.lang !== lang) {
      lang = preferences.words.lang;
      void registry.load(PLUGIN, true); // the titles
    }
  };
  settings.changed.connect(read);
  read();
}

type Schema = ISettingRegistry.ISchema;

/** A choice's own title is a language's name: it stays as it is. */
interface IChoice {
  const: string;
  title: string;
}

/** The schema with the titles of the catalogues. */
export function translated(schema: Schema, words: Words): Schema {
  const made = JSON.parse(JSON.stringify(schema)) as Schema;
  made.description = words.text('lab.settings.about');
  for (const [name, property] of Object.entries(made.properties ?? {})) {
    property.title = words.text(`lab.settings.${name}`);
    property.description = words.text(`lab.settings.${name}.about`);
    const { items } = property as unknown as { items?: { title: string; oneOf?: IChoice[] } };
    if (items) {
      items.title = words.text('lab.settings.view');
    }
    const choices = (property as unknown as { oneOf?: IChoice[] }).oneOf ?? items?.oneOf ?? [];
    for (const choice of choices) {
      if (name === 'views') {
        choice.title = words.tab(choice.const as ViewName);
      } else if (name === 'place' || choice.const === 'auto') {
        choice.title = words.text(`lab.settings.${name}.${choice.const}`);
      }
    }
  }
  return made;
}
