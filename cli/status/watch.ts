import { setTimeout as sleep } from "node:timers/promises";

export interface Screen {
    readonly isTTY?: boolean;
    readonly rows?: number;
    readonly columns?: number;
    write(text: string): unknown;
}

export interface WatchOptions {
    readonly screen: Screen;
    /** Ends the watch, at once. */
    readonly stop: AbortSignal;
    /** Milliseconds from one look to the next. @default 2000 */
    readonly everyMilliseconds?: number;
}

/** Looks again and again, and shows what it sees: in place of the last on a terminal, else one after the other. */
export async function watch(
    look: () => Promise<string>,
    { screen, stop, everyMilliseconds = 2_000 }: WatchOptions,
): Promise<void> {
    const stopped = new Promise<undefined>((resolve) => stop.addEventListener("abort", () => resolve(undefined)));
    for (let isFirst = true; !stop.aborted; isFirst = false) {
        const next = performance.now() + everyMilliseconds;
        const text = await Promise.race([look(), stopped]);
        if (text === undefined) {
            return;
        }
        screen.write(screen.isTTY ? redrawn(text, isFirst, screen) : text);
        await sleep(Math.max(0, next - performance.now()), undefined, { signal: stop }).catch(() => undefined);
    }
}

/** The text from the top left corner, without a flicker; what is too long or too wide for the screen is cut off. */
export function redrawn(
    text: string,
    isFirst: boolean,
    { rows = 24, columns = Number.POSITIVE_INFINITY }: Pick<Screen, "rows" | "columns">,
): string {
    // A line that wraps would be two, and scroll the first away; what erases its rest takes the last column with it.
    const lines = text
        .trimEnd()
        .split("\n")
        .map((line) => cutOff(line, columns - 1));
    const fitting =
        lines.length < rows ? lines : [...lines.slice(0, rows - 2), `… ${lines.length - rows + 2} more lines`];
    // Home; each line erased to its end; then all below. The first time, what was there before scrolls away.
    return `${isFirst ? "\x1b[2J" : ""}\x1b[H${fitting.map((line) => `${line}\x1b[K\n`).join("")}\x1b[J`;
}

/** At most that many characters of a line, with all of its colours. */
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
