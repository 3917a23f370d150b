/** Layout of a group, in pixels. */
export const pad = 16;
export const gap = 16;
export const headingHeight = 38;

export interface GroupPlace {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    /** Area of the cards. */
    readonly content: number;
}

/** Number of cards of this width per row. */
export function columnsOf(count: number, each: number, { content }: GroupPlace): number {
    const most = Math.floor((content + gap) / (each + gap));
    return Math.max(1, Math.min(count, most));
}

/** Left edge of the first card; the cards are centered. */
export function leftOf(columns: number, each: number, { x, width }: GroupPlace): number {
    return x + (width - (columns * each + (columns - 1) * gap)) / 2;
}
