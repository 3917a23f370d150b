/** Of every group, in pixels. */
export const pad = 16;
export const gap = 16;
export const headingHeight = 38;

export interface GroupPlace {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    /** Of the cards. */
    readonly content: number;
}

/** How many cards of a width are beside each other. */
export function columnsOf(count: number, each: number, { content }: GroupPlace): number {
    const most = Math.floor((content + gap) / (each + gap));
    return Math.max(1, Math.min(count, most));
}

/** Where the first card is: the cards are in the middle. */
export function leftOf(columns: number, each: number, { x, width }: GroupPlace): number {
    return x + (width - (columns * each + (columns - 1) * gap)) / 2;
}
