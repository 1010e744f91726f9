// What the tree of findings shows of one: its threads with their steps. Pure.
import type { Interleaving, Location, Step } from './protocol';

export interface ThreadNode {
  label: string;
  /** "transfer, 5 steps" */
  description: string;
  steps: StepNode[];
}

export interface StepNode {
  label: string;
  /** The place among all steps, from 1. */
  description: string;
  /** It belongs to the orderings that make the failure happen. */
  core: boolean;
  location?: Location;
}

const textOf = (step: Step): string => step.text;

/** The threads that take a step in the failing execution, in their order; idle ones are left out. */
export function threadsOf(interleaving: Interleaving): ThreadNode[] {
  const steps = interleaving.executions[0]?.steps ?? [];
  return interleaving.threads
    .map((thread, index) => {
      const own = steps.flatMap((step, at): StepNode[] => {
        if (step.thread !== index) return [];
        const node: StepNode = { label: textOf(step), description: String(at + 1), core: step.core };
        return [step.location === undefined ? node : { ...node, location: step.location }];
      });
      return {
        label: thread.label,
        description: `${thread.function}, ${own.length} ${own.length === 1 ? 'step' : 'steps'}`,
        steps: own,
      };
    })
    .filter((thread) => thread.steps.length > 0);
}
