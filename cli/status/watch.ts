import { setTimeout as sleep } from "node:timers/promises";

export interface Screen {
    readonly isTTY?: boolean;
    readonly rows?: number;
    readonly columns?: number;
    write(text: string): unknown;
}

export interface WatchOptions {
    readonly screen: Screen;
    /** Ends the watch immediately. */
    readonly stop: AbortSignal;
    /** Milliseconds between refreshes. @default 2000 */
    readonly everyMilliseconds?: number;
}

/** Refreshes repeatedly: in place on a terminal, otherwise appending. */
export async function watch(
    observe: () => Promise<string>,
    { screen, stop, everyMilliseconds = 2_000 }: WatchOptions,
): Promise<void> {
    const stopped = new Promise<undefined>((resolve) => stop.addEventListener("abort", () => resolve(undefined)));
    for (let isFirst = true; !stop.aborted; isFirst = false) {
        const next = performance.now() + everyMilliseconds;
        const text = await Promise.race([observe(), stopped]);
        if (text === undefined) {
            return;
        }
        screen.write(screen.isTTY ? redrawn(text, isFirst, screen) : text);
        await sleep(Math.max(0, next - performance.now()), undefined, { signal: stop }).catch(() => undefined);
    }
}

/** Draws text from the top left without flicker; cuts off whatever does not fit the screen. */
export function redrawn(
    text: string,
    isFirst: boolean,
    { rows = 24, columns = Number.POSITIVE_INFINITY }: Pick<Screen, "rows" | "columns">,
): string {
    // A wrapped line would scroll the first one away; erasing the rest of a full line also erases the last column.
    const lines = text
        .trimEnd()
        .split("\n")
        .map((line) => cutOff(line, columns - 1));
    const fitting =
        lines.length < rows ? lines : [...lines.slice(0, rows - 2), `… ${lines.length - rows + 2} more lines`];
    // Cursor home; erase to the end of each line; then erase below. The first time, previous output scrolls away.
    return `${isFirst ? "\x1b[2J" : ""}\x1b[H${fitting.map((line) => `${line}\x1b[K\n`).join("")}\x1b[J`;
}

/** Truncates a line to this many characters, keeping all its colors. */
function cutOff(line: string, columns: number): string {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
    const parts = line.split(/(\x1b\[\d*m)/);
    const isColour = (index: number) => index % 2 === 1;
    const length = parts.reduce((sum, part, index) => sum + (isColour(index) ? 0 : part.length), 0);
    if (length <= columns) {
        return line;
    }
    let left = columns - 1;
    const kept = parts.map((part, index) => {
        if (isColour(index)) return part;
        const shown = part.slice(0, left);
        left -= shown.length;
        return shown;
    });
    return `${kept.join("")}…`;
}
