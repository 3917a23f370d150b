/** Of a timeline's picture, in pixels. */
export const width = 1080;
export const margin = 24;
export const pad = 20;
/** Of the names of rows. */
export const labelWidth = 240;
/** Where the run begins. */
export const axisLeft = margin + pad + labelWidth + 16;
/** To where it ends; the rest is for words behind the last bar. */
export const axisWidth = width - margin - pad - 104 - axisLeft;
