/** Sizes in a timeline's picture, in pixels. */
export const width = 1080;
export const margin = 24;
export const pad = 20;
/** Width of row names. */
export const labelWidth = 240;
/** Start of the run. */
export const axisLeft = margin + pad + labelWidth + 16;
/** Until its end; the rest is for labels after the last bar. */
export const axisWidth = width - margin - pad - 104 - axisLeft;
