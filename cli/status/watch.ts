import { setTimeout as sleep } from "node:timers/promises";

export interface Screen {
    readonly isTTY?: boolean;
    readonly rows?: number;
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
        screen.write(screen.isTTY ? redrawn(text, isFirst, screen.rows) : text);
        await sleep(Math.max(0, next - performance.now()), undefined, { signal: stop }).catch(() => undefined);
    }
}

/** The text from the top left corner, without a flicker; what is too long for the screen is cut off. */
export function redrawn(text: string, isFirst: boolean, rows = 24): string {
    const lines = text.trimEnd().split("\n");
    const fitting =
        lines.length < rows ? lines : [...lines.slice(0, rows - 2), `… ${lines.length - rows + 2} more lines`];
    // Home; each line erased to its end; then all below. The first time, what was there before scrolls away.
    return `${isFirst ? "\x1b[2J" : ""}\x1b[H${fitting.map((line) => `${line}\x1b[K\n`).join("")}\x1b[J`;
}
