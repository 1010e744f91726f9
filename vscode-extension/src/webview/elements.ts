// What the panel's page is made of: elements, shapes, and texts that fit. Does not know the state of an interleaving.
import type { Step } from '../protocol';
import { shortened } from './layout';

const svgSpace = 'http://www.w3.org/2000/svg';

export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, string>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

export function shape(
  name: string,
  attributes: Record<string, string | number>,
  ...children: (Node | string)[]
): SVGElement {
  const made = document.createElementNS(svgSpace, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

const measure = document.createElement('canvas').getContext('2d');
export function textWidth(text: string): number {
  if (!measure) return text.length * 8;
  const style = getComputedStyle(document.body);
  measure.font = `12px ${style.getPropertyValue('--vscode-editor-font-family') || 'monospace'}`;
  return measure.measureText(text).width;
}

export function clipped(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let end = text.length;
  while (end > 1 && textWidth(text.slice(0, end) + '…') > width) end--;
  return text.slice(0, end) + '…';
}

/** A step's text. If it must be cut, the kind, the value and both ends of the name stay. */
export function stepText(step: Step, width: number): string {
  return textWidth(step.text) <= width
    ? step.text
    : clipped(
        shortened(step, (text) => textWidth(text) <= width),
        width,
      );
}

export function marker(id: string): SVGElement {
  return shape(
    'marker',
    {
      id: `arrow-${id}`,
      viewBox: '0 0 8 8',
      refX: 7,
      refY: 4,
      markerUnits: 'userSpaceOnUse',
      markerWidth: 9,
      markerHeight: 9,
      orient: 'auto-start-reverse',
    },
    shape('path', { d: 'M 0 0 L 8 4 L 0 8 z', class: `head ${id}` }),
  );
}
