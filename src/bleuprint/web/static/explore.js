/**
 * What one does with the result of a segment: point at its parts, open its details, try something else.
 */
import { onDetails } from "./details.js";
import { onHighlights } from "./highlight.js";
import { onTrials } from "./what_if.js";

export function handle(event) {
  for (const listeners of [onHighlights, onTrials, onDetails]) listeners[event.type]?.(event);
}
