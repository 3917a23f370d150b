/**
 * Characters that a terminal acts on or hides: controls (ESC, C1), and formats such as those that reverse the direction
 * of text. Line feeds and tabs are neither.
 */
const unprintable = /[^\P{C}\n\t\p{Co}\p{Cn}]|[\p{Zl}\p{Zp}]/gu;

/**
 * Text of a cluster, which anyone who can create a pod or owns a node may have written, for a terminal: characters that
 * it would act on are replaced by their escapes, such as `\u001b`. In JSON these mean the same.
 */
export function printable(text: string): string {
    return text.replaceAll("\r\n", "\n").replaceAll(unprintable, escaped);
}

/** The same in one line. */
export function printableLine(text: string): string {
    return printable(text)
        .replaceAll(/\s*\n\s*/g, "; ")
        .replaceAll("\t", " ");
}

function escaped(characters: string): string {
    return characters
        .split("")
        .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
        .join("");
}

/** All strings of plain data, changed. */
export function withText<T>(data: T, change: (text: string) => string): T {
    if (typeof data === "string") return change(data) as T;
    if (Array.isArray(data)) return data.map((each) => withText(each, change)) as T;
    if (data === null || typeof data !== "object") return data;
    return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, withText(value, change)])) as T;
}

type Write = NodeJS.WriteStream["write"];

/** The streams' own functions while text is replaced. */
const originals = new Map<NodeJS.WriteStream, Write>();

/**
 * Runs a command so that everything it prints is printable, whatever it quotes of a cluster. Also the message of its
 * error, which its caller prints.
 */
export async function withPrintableOutput<T>(run: () => Promise<T>): Promise<T> {
    const restore = replaceOutput();
    try {
        return await run();
    } catch (error) {
        if (error instanceof Error) error.message = printable(error.message);
        throw error;
    } finally {
        restore();
    }
}

/** Makes all output of this process printable. @returns a function that ends this */
export function replaceOutput(): () => void {
    const streams = [process.stdout, process.stderr].filter((stream) => !originals.has(stream));
    for (const stream of streams) {
        const write = stream.write as (chunk: unknown, ...others: unknown[]) => boolean;
        originals.set(stream, stream.write);
        const own = (chunk: unknown, ...others: unknown[]) =>
            write.call(stream, typeof chunk === "string" ? printable(chunk) : chunk, ...others);
        stream.write = own as Write;
    }
    return () => {
        for (const stream of streams) {
            stream.write = originals.get(stream)!;
            originals.delete(stream);
        }
    };
}

/** Writes text that has colors or moves the cursor. What it quotes must be printable. */
export function writeStyled(stream: NodeJS.WriteStream, text: string): boolean {
    return (originals.get(stream) ?? stream.write).call(stream, text);
}
