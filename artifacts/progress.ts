const REMIND_MS = 15_000;

/** Plain lines to standard error: what, how many of how many, how long. */
export class Progress {
    private readonly width: number;

    constructor(
        private readonly total: number,
        readonly say: (line: string) => void = (line) => void process.stderr.write(`${line}\n`),
    ) {
        this.width = String(total).length;
    }

    /** Says what begins, then every while how long it has taken; the returned function says how it ended. */
    begin(position: number, what: string, how: string): (outcome: string) => void {
        const label = `[${String(position).padStart(this.width)}/${this.total}] ${what.padEnd(32)}`;
        const started = Date.now();
        this.say(`${label} ${how}`);
        const reminder = setInterval(
            () => this.say(`${label} ${how} (elapsed ${duration(Date.now() - started)})`),
            REMIND_MS,
        );
        return (outcome) => {
            clearInterval(reminder);
            this.say(`${label} ${outcome} in ${duration(Date.now() - started)}`);
        };
    }
}

/** `8s`, `3m12s`. */
export function duration(milliseconds: number): string {
    const seconds = Math.round(milliseconds / 1000);
    return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${String(seconds % 60).padStart(2, "0")}s`;
}
