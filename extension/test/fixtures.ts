/** The data that the Python side's tests hold as the example of a panel. */

import { readFileSync } from 'node:fs';
import type { IPanel } from '../src/model';

export function walk(lang: 'en' | 'fa' = 'en'): IPanel {
  return JSON.parse(readFileSync(`../tests/inspect/fixtures/walk.${lang}.json`, 'utf8')) as IPanel;
}

/** A panel whose function calls a helper of the cell, both with Python effects. */
export function effects(lang: 'en' | 'fa' = 'en'): IPanel {
  return JSON.parse(readFileSync(`../tests/inspect/fixtures/effects.${lang}.json`, 'utf8')) as IPanel;
}

/** The panels of a call that was run step by step, and of one that was run both ways. */
export function ran(what: 'step' | 'compare'): IPanel {
  return JSON.parse(readFileSync(`../tests/inspect/fixtures/${what}.en.json`, 'utf8')) as IPanel;
}
