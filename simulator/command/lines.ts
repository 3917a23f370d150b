/** Cuts a stream of text into lines; `end` hands over the last one if no newline closed it. */
export function lines(onLine: (line: string) => void): { write(text: string): void; end(): void } {
    let rest = "";
    return {
        write(text) {
            const parts = (rest + text).split("\n");
            rest = parts.pop()!;
            for (const line of parts) onLine(line.replace(/\r$/, ""));
        },
        end() {
            if (rest) onLine(rest);
            rest = "";
        },
    };
}
