/** What a picture is made of: plain data, in pixels from the top left corner. */
export interface Picture {
    readonly width: number;
    readonly height: number;
    /** For those who do not see it: what it is, and what it shows. */
    readonly title: string;
    readonly description: string;
    readonly shapes: readonly Shape[];
}

export type Shape = Box | Label | Line | Mark;

export interface Rectangle {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
}

export interface Box extends Rectangle {
    readonly kind: "box";
    readonly look: BoxLook;
    /** Of its corners. @default 6 */
    readonly radius?: number;
    readonly isDashed?: boolean;
    /** What is shown of it when somebody points to it. */
    readonly hint?: string;
    /** All of them are inside it. */
    readonly children: readonly Shape[];
}

export interface Label {
    readonly kind: "label";
    /** Where it starts, or its middle or end, by its anchor. */
    readonly x: number;
    /** Of the line that letters stand on. */
    readonly y: number;
    readonly text: string;
    readonly size: number;
    /** @default "text" */
    readonly look?: TextLook;
    /** @default "start" */
    readonly anchor?: "start" | "middle" | "end";
    readonly isBold?: boolean;
}

export interface Line {
    readonly kind: "line";
    readonly points: readonly (readonly [x: number, y: number])[];
    readonly look: LineLook;
    readonly isDashed?: boolean;
}

/** A sign with a form of its own for each meaning, so that nobody needs its colour. */
export interface Mark {
    readonly kind: "mark";
    readonly meaning: Meaning;
    /** Of its middle. */
    readonly x: number;
    readonly y: number;
    /** From side to side. */
    readonly size: number;
}

export type Meaning = "good" | "warning" | "bad" | "unknown";
export type TextLook = "text" | "faint" | "good" | "warning" | "bad";
export type LineLook = "edge" | "bad-edge" | "grid";
export type BoxLook =
    | "frame"
    | "group"
    | "card"
    | "balancer"
    | "plain-tag"
    | "strong-tag"
    | "odd-tag"
    | "stage"
    | "work"
    | "step"
    | "span"
    | "failures";

export const box = (look: BoxLook, at: Rectangle, rest: Partial<Omit<Box, "kind" | "look">> = {}): Box => ({
    kind: "box",
    look,
    children: [],
    ...at,
    ...rest,
});

export const label = (text: string, x: number, y: number, size: number, rest: Partial<Label> = {}): Label => ({
    kind: "label",
    text,
    x,
    y,
    size,
    ...rest,
});

export const mark = (meaning: Meaning, x: number, y: number, size = 14): Mark => ({
    kind: "mark",
    meaning,
    x,
    y,
    size,
});
